import { GetWallet, getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { WalletRow, walletsWithBalances, walletViews } from './wallet-rows';

@Handles(getWallet)
export class GetWalletHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(request: GetWallet): Promise<WalletView> {
    return asRefusal(async () => {
      const reads = await this.databases.forMerchant(request.merchant_id);
      const rows = await reads.$queryRaw<WalletRow[]>`${walletsWithBalances(Prisma.sql`
        SELECT * FROM wallets WHERE id = ${request.wallet_id}::uuid AND merchant_id = ${request.merchant_id}::uuid`)}`;
      const [wallet] = await walletViews(reads, rows);
      if (!wallet) throw new Refusal('not_found');
      return wallet;
    });
  }
}
