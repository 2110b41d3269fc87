import { GetTransaction, getTransaction, LookedUpTransactionView } from '@stablecoin/contracts/wallet/get-transaction';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import {
  TRANSACTION_COLUMNS,
  TransactionRow,
  transactionOf,
} from '@stablecoin/ledger-store/projections/transaction.projection';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { transactionView } from './transaction-view';

@Handles(getTransaction)
export class GetTransactionHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(request: GetTransaction): Promise<LookedUpTransactionView> {
    const { transaction_id: name, merchant_id } = request;
    const isIt = isUuid(name) ? Prisma.sql`id = ${name}::uuid` : Prisma.sql`transaction_id = ${name}`;
    return asRefusal(async () => {
      const [row] = await (
        await this.databases.forMerchant(merchant_id)
      ).$queryRaw<TransactionRow[]>`
        SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE ${isIt} AND merchant_id = ${merchant_id}::uuid`;
      if (!row) throw new Refusal('not_found');
      const transaction = transactionOf(row);
      return { ...transactionView(transaction), created_by: transaction.under_policy?.created_by?.key_id ?? null };
    });
  }
}
