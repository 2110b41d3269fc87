import { Injectable } from '@nestjs/common';
import { PastScreening } from '@stablecoin/persistence/past-screening';
import { PayoutDatabase } from '../persistence/payout-database';
import { PayoutRow } from './payout-row';
import { PayoutScreening } from './payout-screening';

type PastPayout = Pick<PayoutRow, 'id' | 'merchant_id' | 'customer_id' | 'sealed_destination'>;

/** Payouts that were paid before there was a screening: their recipients become part of what a new list is held against. */
@Injectable()
export class PastPayouts extends PastScreening<PastPayout> {
  constructor(database: PayoutDatabase, screening: PayoutScreening) {
    super({
      what: 'payouts',
      database,
      after: (id, movedBefore, limit) => database.$queryRaw<PastPayout[]>`
        SELECT id, merchant_id, customer_id, sealed_destination FROM payouts
        WHERE id > ${id}::uuid AND created_at < ${movedBefore} AND state IN ('submitted', 'completed', 'reversed')
        ORDER BY id LIMIT ${limit}::int`,
      tell: (payout) => screening.tellOfPast(payout),
    });
  }
}
