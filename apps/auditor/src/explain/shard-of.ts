/** Of which shard a wallet or a transaction is, where a database knows it. */
import { eventsOfTransaction, walletOrigin } from '@stablecoin/ledger-store/history';
import { Sql } from '@stablecoin/persistence/sql';
import { transactionIdOf } from './explain';

/** @param wallet an id of any form: what is wrong with it is said by who looks it up */
export const shardOfWallet =
  (wallet: string) =>
  async (sql: Sql): Promise<number | undefined> =>
    (await walletOrigin(sql, wallet.toLowerCase()))?.shard;

/** @param reference the 10 characters, or the id */
export const shardOfTransaction =
  (reference: string) =>
  async (sql: Sql): Promise<number | undefined> => {
    const id = await transactionIdOf(sql, reference);
    return id === undefined ? undefined : (await eventsOfTransaction(sql, id))[0]?.shard;
  };
