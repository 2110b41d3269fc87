import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { tellOfThePast } from '@stablecoin/persistence/past-screening';
import { ChainDatabase } from '../persistence/chain-database';
import { DEPOSIT_COLUMNS, DepositRow } from './deposit-rows';
import { DepositScreening } from './deposit-screening';

const FIRST_PAUSE_MS = 1_000;
const AFTER_FAILURE_MS = 10_000;

/** Deposits that were credited before there was a screening: their senders become part of what a new list is held against. */
@Injectable()
export class PastDeposits implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(PastDeposits.name);
  private readonly loop = new BackgroundLoop({
    firstPauseMs: FIRST_PAUSE_MS,
    pass: () => this.pass(),
    failed: (error) => {
      this.log.warn({ msg: 'could not tell of deposits of the past', err: error });
      return AFTER_FAILURE_MS;
    },
  });

  constructor(
    private readonly database: ChainDatabase,
    private readonly screening: DepositScreening,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  pass(): Promise<number> {
    return tellOfThePast<DepositRow>({
      database: this.database,
      after: (id, movedBefore, limit) => this.database.$queryRaw<DepositRow[]>`
        SELECT ${DEPOSIT_COLUMNS} FROM deposits
        WHERE id > ${id}::uuid AND seen_at < ${movedBefore} AND booked IN ('completed', 'reversed') AND ledger_id IS NOT NULL
        ORDER BY deposits.id LIMIT ${limit}::int`,
      tell: (deposit) => this.screening.tellOfPast(deposit),
    });
  }
}
