import { ListWallets, listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { WalletRow, walletsWithBalances, walletViews } from './wallet-rows';

@Handles(listWallets)
export class ListWalletsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(request: ListWallets): Promise<Page<WalletView>> {
    const { merchant_id, customer_id = null, currency, page, limit } = request;
    const chosen = Prisma.sql`
      wallet.merchant_id = ${merchant_id}::uuid AND wallet.customer_id IS NOT DISTINCT FROM ${customer_id}::uuid
      ${currency ? Prisma.sql`AND wallet.currency = ${currency}` : Prisma.empty}`;
    return asRefusal(async () => {
      const reads = await this.databases.forMerchant(merchant_id);
      const [count] = await reads.$queryRaw<{ total: bigint }[]>`
        SELECT count(*) AS total FROM wallets AS wallet WHERE ${chosen}`;
      const rows = await reads.$queryRaw<WalletRow[]>`${walletsWithBalances(Prisma.sql`
        SELECT * FROM wallets AS wallet WHERE ${chosen}
        ORDER BY wallet.position DESC LIMIT ${limit} OFFSET ${(page - 1) * limit}`)}`;
      return { items: await walletViews(reads, rows), total: Number(count?.total ?? 0), page, limit };
    });
  }
}
