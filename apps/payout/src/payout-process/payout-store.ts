import { Injectable } from '@nestjs/common';
import { payoutReference } from '@stablecoin/contracts/payout/rail-references';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { coalesced } from '@stablecoin/persistence/coalesced';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';
import { RememberedTraces } from '@stablecoin/telemetry/traces/remembered-traces';
import { currentTraceparent } from '@stablecoin/telemetry/traces/tracing';
import { Prisma } from '../persistence/generated/client';
import { PayoutDatabase } from '../persistence/payout-database';
import { AcceptedPayout } from './accepted-payout';
import { DueLane, IN_LANE } from './due-lane';
import { EndState, PayoutRoute, PayoutRow, PayoutState } from './payout-row';
import { PayoutTerms } from './payout-terms';

export interface NamedPayout extends Pick<PayoutRow, 'id' | 'network' | 'route'> {
  settled_by_hand: boolean;
  waiting_for: 'screening' | null;
}

/** An eighth of its age: nothing tells this service of a decision, and many may wait for long. */
const SCREEN_AGAIN_MS_MIN = 1_000;
const SCREEN_AGAIN_MS_MAX = 30_000;

interface StepMade {
  id: string;
  state: PayoutState;
  next_step_at: string | null;
  rail_reference: string | null;
}

const ORDERED_STATES = Prisma.sql`ARRAY['accepted', 'submitting', 'submitted', 'completed', 'failed', 'reversed']`;
const COLUMNS = Prisma.sql`
  payouts.id, payouts.merchant_id, payouts.customer_id, payouts.shard, payouts.rail, payouts.network, payouts.bank_code,
  payouts.currency, payouts.amount::text AS amount, payouts.recipient_currency, payouts.sealed_destination,
  payouts.terms_mac, payouts.route, payouts.approval_hash, payouts.attempts`;

/** The table of payouts under way: every read and write of it. */
@Injectable()
export class PayoutStore {
  /** The trace in which this instance learned of a payout. */
  readonly acceptedIn = new RememberedTraces<string>();

  constructor(
    private readonly database: PayoutDatabase,
    private readonly terms: PayoutTerms,
  ) {}

  /** Inserts new payouts, due at once; one that is stored already stays as it is. */
  async accept(sql: Sql, payouts: AcceptedPayout[]): Promise<void> {
    if (payouts.length === 0) return;
    payouts.forEach(({ id }) => this.acceptedIn.remember(id, currentTraceparent()));
    await this.insertMissing(sql, payouts, { state: 'accepted', nextStepAt: Prisma.sql`clock_timestamp()` });
  }

  /**
   * Stores how payouts ended, by the ledger's facts. A payout that is not stored yet is inserted as ended, so that its
   * acceptance, delivered later, starts nothing. A completed one is due again, in case the rail returns its money.
   */
  async close(sql: Sql, payouts: AcceptedPayout[], state: EndState): Promise<void> {
    if (payouts.length === 0) return;
    const nextStepAt = state === 'completed' ? Prisma.sql`clock_timestamp()` : Prisma.sql`NULL::timestamptz`;
    const inserted = await this.insertMissing(sql, payouts, { state, nextStepAt });
    const stored = payouts.map(({ id }) => id).filter((id) => !inserted.has(id));
    if (stored.length === 0) return;
    await sql.$executeRaw`
      UPDATE payouts SET state = ${state}::text, updated_at = now(),
        next_step_at = CASE WHEN ${state}::text = 'completed' THEN next_step_at END
      WHERE id = ANY (${stored}::uuid[]) AND ${isStepForward(state)}`;
  }

  /** Stores an end that was given by hand; the rail's own timer has no effect any more. */
  async closeByHand(payout: AcceptedPayout, state: EndState): Promise<void> {
    const end = { state, nextStepAt: Prisma.sql`NULL::timestamptz`, byHand: true };
    const inserted = await this.insertMissing(this.database, [payout], end);
    if (inserted.has(payout.id)) return;
    await this.database.$executeRaw`
      UPDATE payouts SET settled_by_hand = true, next_step_at = NULL, updated_at = now(),
        state = CASE WHEN ${isStepForward(state)} THEN ${state}::text ELSE state END
      WHERE id = ${payout.id}::uuid`;
  }

  /** By the transaction's id or its short `transaction_id`. */
  async findByName(merchantId: string, name: string): Promise<NamedPayout | undefined> {
    const named = isUuid(name) ? Prisma.sql`id = ${name}::uuid` : Prisma.sql`transaction_id = ${name}`;
    const [row] = await this.database.$queryRaw<NamedPayout[]>`
      SELECT id, network, route, settled_by_hand, waiting_for FROM payouts WHERE ${named} AND merchant_id = ${merchantId}::uuid LIMIT 1`;
    return row;
  }

  /**
   * Takes payouts that are due, for `leaseMs`: other workers skip them meanwhile, and take them after a crash. Returns
   * each with the state that it had; the same commit stores an accepted one as submitting.
   */
  async takeDue(lane: DueLane, limit: number, leaseMs: number): Promise<PayoutRow[]> {
    const rows = await this.database.$queryRaw<Omit<PayoutRow, 'provider_reference'>[]>`
      WITH due AS (
        SELECT id, state FROM payouts WHERE ${IN_LANE[lane]} AND next_step_at <= now()
        ORDER BY next_step_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
      )
      UPDATE payouts SET next_step_at = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
        state = CASE WHEN due.state = 'accepted' THEN 'submitting' ELSE due.state END
      FROM due WHERE payouts.id = due.id
      RETURNING ${COLUMNS}, due.state AS state`;
    return rows.map((row) => ({ ...row, provider_reference: payoutReference(row.id) }));
  }

  /**
   * Has a payout go over a chain from now on, before the chain hears of it. In the same commit the sandbox's rail declines
   * it, so that of two instances, one of which still takes it to that rail, one finds the name taken.
   *
   * The reference is derived here too: what the row says of it counts for nothing.
   *
   * @returns the stored route: null where the sandbox's rail has it
   */
  readonly routeToChain = coalesced(async (ids: readonly string[]): Promise<PayoutRoute[]> => {
    const asked = ids.map((id) => ({ id, reference: payoutReference(id) }));
    const column = columnsOf(asked);
    const routed = await this.database.$queryRaw<Pick<PayoutRow, 'id'>[]>`
      WITH asked AS (
        SELECT * FROM unnest(${column('id')}::uuid[], ${column('reference')}::text[]) AS asked (id, reference)
      ), declined AS (
        INSERT INTO sandbox_rail (reference, outcome, rail_reference, declined)
        SELECT reference, 'hold', '', true FROM asked
        ON CONFLICT (reference) DO NOTHING RETURNING reference
      )
      UPDATE payouts SET route = 'evm', updated_at = now() FROM declined JOIN asked USING (reference)
      WHERE payouts.id = asked.id RETURNING payouts.id`;
    const routes = new Map<string, PayoutRoute>(routed.map(({ id }) => [id, 'evm']));
    const others = ids.filter((id) => !routes.has(id));
    // A statement of its own, as it sees what another instance has committed meanwhile.
    for (const { id, route } of await this.routesOf(others)) routes.set(id, route);
    return ids.map((id) => routes.get(id) ?? null);
  });

  private async routesOf(ids: readonly string[]): Promise<Pick<PayoutRow, 'id' | 'route'>[]> {
    if (ids.length === 0) return [];
    return this.database.$queryRaw`SELECT id, route FROM payouts WHERE id = ANY (${arrayColumn(ids)}::uuid[])`;
  }

  /**
   * Stores a step; `nextStepAt` is null when no further step is expected. The ledger's fact of the same end may have been
   * stored before: the rail's reference still is, which the fact does not have.
   */
  async advance(
    id: string,
    state: PayoutState,
    nextStepAt: Date | null,
    railReference: string | null = null,
  ): Promise<void> {
    await this.store({ id, state, next_step_at: nextStepAt?.toISOString() ?? null, rail_reference: railReference });
  }

  /** It is screened again in a while, by which its case is decided or its list is there. */
  async waitForScreening({ id }: Pick<PayoutRow, 'id'>): Promise<void> {
    await this.database.$executeRaw`
      UPDATE payouts SET waiting_for = 'screening', attempts = 0, updated_at = now(),
        next_step_at = clock_timestamp() + least(${SCREEN_AGAIN_MS_MAX}::int * interval '1 millisecond',
          greatest(${SCREEN_AGAIN_MS_MIN}::int * interval '1 millisecond', (now() - created_at) / 8))
      WHERE id = ${id}::uuid AND next_step_at IS NOT NULL`;
  }

  /** Takes no further step: a fact reports, or has reported, how the payout ended. */
  async leaveToFacts(id: string): Promise<void> {
    await this.database.$executeRaw`UPDATE payouts SET next_step_at = NULL WHERE id = ${id}::uuid`;
  }

  private readonly store = coalesced(async (steps: readonly StepMade[]) => {
    const column = columnsOf(steps);
    await this.database.$executeRaw`
      UPDATE payouts SET state = made.state, next_step_at = made.next_step_at, attempts = 0, updated_at = now(), waiting_for = NULL,
        rail_reference = coalesce(made.rail_reference, payouts.rail_reference)
      FROM unnest(
        ${column('id')}::uuid[], ${column('state')}::text[], ${column('next_step_at')}::timestamptz[],
        ${column('rail_reference')}::text[]
      ) AS made (id, state, next_step_at, rail_reference)
      WHERE payouts.id = made.id AND NOT payouts.settled_by_hand AND ${isStepForward(Prisma.sql`made.state`)}
        AND (payouts.state NOT IN ('failed', 'reversed') OR payouts.state = made.state)`;
    return steps.map(() => undefined);
  });

  async tryAgain(id: string, afterMs: number): Promise<void> {
    await this.database.$executeRaw`
      UPDATE payouts SET attempts = attempts + 1,
        next_step_at = clock_timestamp() + ${afterMs}::int * interval '1 millisecond'
      WHERE id = ${id}::uuid AND next_step_at IS NOT NULL`;
  }

  /**
   * Inserts the payouts that are not stored, and returns their ids. What is stored is changed by a statement of its own:
   * the table has two unique indexes, and ON CONFLICT (id) DO UPDATE fails on the other one when two sessions insert the
   * same payout at once.
   */
  private async insertMissing(
    sql: Sql,
    payouts: AcceptedPayout[],
    { state, nextStepAt, byHand = false }: { state: PayoutState; nextStepAt: Prisma.Sql; byHand?: boolean },
  ): Promise<Set<string>> {
    const rows = payouts.map((payout) => ({
      ...payout,
      rail: payout.network === null ? 'bank' : 'wallet',
      provider_reference: payoutReference(payout.id),
      // Of one that has ended none is made: set back to accepted by this service's database login, it would be sent by it.
      terms_mac: state === 'accepted' ? this.terms.macOf(payout) : null,
    }));
    const inserted = await sql.$queryRaw<{ id: string }[]>`
      INSERT INTO payouts (id, transaction_id, merchant_id, customer_id, shard, rail, network, bank_code, currency, amount,
        recipient_currency, sealed_destination, provider_reference, approval_hash, terms_mac, state, settled_by_hand, next_step_at)
      SELECT accepted.*, ${state}::text, ${byHand}::boolean, ${nextStepAt}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS accepted (id uuid, transaction_id text, merchant_id uuid,
        customer_id uuid, shard int, rail text, network text, bank_code text, currency text, amount numeric,
        recipient_currency text, sealed_destination text, provider_reference text, approval_hash text, terms_mac text)
      ON CONFLICT DO NOTHING
      RETURNING id`;
    return new Set(inserted.map(({ id }) => id));
  }
}

function isStepForward(newState: PayoutState | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`array_position(${ORDERED_STATES}, payouts.state) <= array_position(${ORDERED_STATES}, ${newState}::text)`;
}
