import { GetWallet, getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { WALLET_COLUMNS, WALLET_TABLES, WalletRow, walletViews } from './wallet-rows';

@Handles(getWallet)
export class GetWalletHandler {
  constructor(private readonly database: LedgerReads) {}

  execute(request: GetWallet): Promise<WalletView> {
    return asRefusal(async () => {
      const rows = await this.database.$queryRaw<WalletRow[]>`
        SELECT ${WALLET_COLUMNS} FROM ${WALLET_TABLES}
        WHERE wallet.id = ${request.wallet_id}::uuid AND wallet.merchant_id = ${request.merchant_id}::uuid`;
      const [wallet] = await walletViews(this.database, rows);
      if (!wallet) throw new Refusal('not_found');
      return wallet;
    });
  }
}
