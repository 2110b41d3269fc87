import { Injectable } from '@nestjs/common';
import { UnrecognisedReason } from '@stablecoin/contracts/chain/views';
import { ChainDatabase } from '../persistence/chain-database';
import { Booked, nextStep } from './deposit';
import { DEPOSIT_COLUMNS, DepositRow } from './deposit-rows';

/** What a step has brought about. */
export interface StepOutcome {
  booked: Booked;
  ledgerId?: string;
  transactionId?: string;
  reason?: UnrecognisedReason;
  /** Compliance has to decide on its sender, or a list is missing: it is asked again in a while. */
  waitsForScreening?: boolean;
}

/** An eighth of its age: nothing tells this service of a decision, and many may wait for long. */
const SCREEN_AGAIN_MS_MIN = 1_000;
const SCREEN_AGAIN_MS_MAX = 30_000;

/** The steps of deposits that are due. A row is with one worker at a time, so that its steps keep their order. */
@Injectable()
export class DepositStore {
  constructor(private readonly database: ChainDatabase) {}

  /** From here on the ledger may have been asked to record it, whatever becomes of this process. */
  async takeDue(limit: number, leaseMs: number): Promise<DepositRow[]> {
    return this.database.$queryRaw<DepositRow[]>`
      UPDATE deposits SET next_step_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
        booked = CASE WHEN booked = 'nothing' AND standing IN ('included', 'final') THEN 'recording' ELSE booked END
      WHERE id IN (
        SELECT id FROM deposits WHERE next_step_at <= clock_timestamp()
        ORDER BY next_step_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
      )
      RETURNING ${DEPOSIT_COLUMNS}`;
  }

  /**
   * Where the walk has moved the deposit meanwhile, or an operator has decided on it, it is due again at once.
   *
   * @param outcome undefined where nothing was to be asked: then what is booked stays as it is by now
   */
  async finish({ id, version, standing }: DepositRow, outcome?: StepOutcome): Promise<void> {
    const { booked = null, ledgerId = null, transactionId = null, reason = null } = outcome ?? {};
    const waits = outcome?.waitsForScreening === true;
    const isDone = booked === null || nextStep({ standing, booked }) === undefined;
    await this.database.$executeRaw`
      UPDATE deposits SET booked = coalesce(${booked}, booked), attempts = 0, updated_at = clock_timestamp(),
        ledger_id = coalesce(${ledgerId}::uuid, ledger_id), transaction_id = coalesce(${transactionId}, transaction_id),
        unrecognised_reason = coalesce(${reason}, unrecognised_reason),
        waiting_for = CASE WHEN ${waits}::boolean THEN 'screening' END,
        next_step_at = CASE
          WHEN version = ${version}::int AND ${waits}::boolean THEN clock_timestamp() +
            least(${SCREEN_AGAIN_MS_MAX}::int * interval '1 millisecond',
              greatest(${SCREEN_AGAIN_MS_MIN}::int * interval '1 millisecond', (now() - seen_at) / 8))
          WHEN version = ${version}::int AND ${isDone}::boolean THEN NULL
          ELSE clock_timestamp() END
      WHERE id = ${id}::uuid`;
  }

  async tryAgain(id: string, afterMs: number): Promise<void> {
    await this.database.$executeRaw`
      UPDATE deposits SET attempts = attempts + 1,
        next_step_at = clock_timestamp() + ${afterMs}::int * interval '1 millisecond'
      WHERE id = ${id}::uuid AND next_step_at IS NOT NULL`;
  }

  async nextDueInMs(): Promise<number | undefined> {
    const [row] = await this.database.$queryRaw<{ due_in_ms: number | null }[]>`
      SELECT (extract(epoch FROM min(next_step_at) - clock_timestamp()) * 1000)::float8 AS due_in_ms
      FROM deposits WHERE next_step_at IS NOT NULL`;
    return row?.due_in_ms ?? undefined;
  }
}
