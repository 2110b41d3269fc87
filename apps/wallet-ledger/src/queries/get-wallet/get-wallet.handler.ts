import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { GetWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { WALLET_COLUMNS, WALLET_TABLES, WalletRow, walletViews } from '../wallet-rows';

export class GetWalletQuery extends Query<WalletView> {
  constructor(readonly request: GetWallet) {
    super();
  }
}

@QueryHandler(GetWalletQuery)
export class GetWalletHandler implements IQueryHandler<GetWalletQuery> {
  constructor(private readonly database: LedgerDatabase) {}

  execute({ request }: GetWalletQuery): Promise<WalletView> {
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
