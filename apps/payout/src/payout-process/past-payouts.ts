import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { tellOfThePast } from '@stablecoin/persistence/past-screening';
import { PayoutDatabase } from '../persistence/payout-database';
import { PayoutRow } from './payout-row';
import { PayoutScreening } from './payout-screening';

const FIRST_PAUSE_MS = 1_000;
const AFTER_FAILURE_MS = 10_000;

type PastPayout = Pick<PayoutRow, 'id' | 'merchant_id' | 'customer_id' | 'sealed_destination'>;

/** Payouts that were paid before there was a screening: their recipients become part of what a new list is held against. */
@Injectable()
export class PastPayouts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(PastPayouts.name);
  private readonly loop = new BackgroundLoop({
    firstPauseMs: FIRST_PAUSE_MS,
    pass: () => this.pass(),
    failed: (error) => {
      this.log.warn({ msg: 'could not tell of payouts of the past', err: error });
      return AFTER_FAILURE_MS;
    },
  });

  constructor(
    private readonly database: PayoutDatabase,
    private readonly screening: PayoutScreening,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  pass(): Promise<number> {
    return tellOfThePast<PastPayout>({
      database: this.database,
      after: (id, movedBefore, limit) => this.database.$queryRaw<PastPayout[]>`
        SELECT id, merchant_id, customer_id, sealed_destination FROM payouts
        WHERE id > ${id}::uuid AND created_at < ${movedBefore} AND state IN ('submitted', 'completed', 'reversed')
        ORDER BY id LIMIT ${limit}::int`,
      tell: (payout) => this.screening.tellOfPast(payout),
    });
  }
}
