import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { WalletOrigin, walletOrigin } from '@stablecoin/ledger-store/history';
import { Sql } from '@stablecoin/persistence/sql';

/** Where the log opens the wallet. @throws Refusal not_found for another merchant's */
export async function ownWallet(
  sql: Sql,
  { wallet_id, merchant_id }: { wallet_id: string; merchant_id: string },
): Promise<WalletOrigin> {
  const origin = await walletOrigin(sql, wallet_id);
  if (origin?.merchant_id !== merchant_id) throw new Refusal('not_found');
  return origin;
}
