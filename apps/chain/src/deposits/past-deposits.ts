import { Injectable } from '@nestjs/common';
import { PastScreening } from '@stablecoin/persistence/past-screening';
import { ChainDatabase } from '../persistence/chain-database';
import { DEPOSIT_COLUMNS, DepositRow } from './deposit-rows';
import { DepositScreening } from './deposit-screening';

/** Deposits that were credited before there was a screening: their senders become part of what a new list is held against. */
@Injectable()
export class PastDeposits extends PastScreening<DepositRow> {
  constructor(database: ChainDatabase, screening: DepositScreening) {
    super({
      what: 'deposits',
      database,
      after: (id, movedBefore, limit) => database.$queryRaw<DepositRow[]>`
        SELECT ${DEPOSIT_COLUMNS} FROM deposits
        WHERE id > ${id}::uuid AND seen_at < ${movedBefore} AND booked IN ('completed', 'reversed') AND ledger_id IS NOT NULL
        ORDER BY deposits.id LIMIT ${limit}::int`,
      tell: (deposit) => screening.tellOfPast(deposit),
    });
  }
}
