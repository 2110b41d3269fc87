import { Injectable } from '@nestjs/common';
import { PayoutConfiguration } from '../payout.configuration';
import { PayoutDatabase } from '../persistence/payout-database';
import { PayoutRail, RailPayout, RailStatus } from './payout-rail';
import { sandboxOutcome, sandboxRailReference, SandboxOutcome } from './sandbox-rules';

interface SandboxRow {
  outcome: SandboxOutcome;
  rail_reference: string;
  settles_at: Date | null;
  returns_at: Date | null;
  settled: boolean;
  returned: boolean;
}

/**
 * A rail that moves nothing and answers like one that does. What it was sent is decided at once and shows with time;
 * its books are a table of its own, as an outside rail's would lie with the provider.
 */
@Injectable()
export class SandboxRail extends PayoutRail {
  constructor(
    private readonly database: PayoutDatabase,
    private readonly configuration: PayoutConfiguration,
  ) {
    super();
  }

  async submit(payout: RailPayout): Promise<void> {
    const outcome = sandboxOutcome(payout.destination);
    const settleMs = this.configuration.sandboxSettleMs;
    await this.database.$executeRaw`
      INSERT INTO sandbox_rail (reference, outcome, rail_reference, settles_at, returns_at)
      SELECT ${payout.reference}, ${outcome}, ${sandboxRailReference(payout.reference, payout.network)},
        CASE WHEN ${outcome} <> 'hold' THEN moment + ${settleMs}::int * interval '1 millisecond' END,
        CASE WHEN ${outcome} = 'return' THEN moment + 2 * ${settleMs}::int * interval '1 millisecond' END
      FROM clock_timestamp() AS moment
      ON CONFLICT (reference) DO NOTHING`;
  }

  async lookUp(reference: string): Promise<RailStatus> {
    const [row] = await this.database.$queryRaw<SandboxRow[]>`
      SELECT outcome, rail_reference, settles_at, returns_at,
        coalesce(settles_at <= clock_timestamp(), false) AS settled,
        coalesce(returns_at <= clock_timestamp(), false) AS returned
      FROM sandbox_rail WHERE reference = ${reference}`;
    if (!row) return { state: 'unknown' };
    const railReference = row.rail_reference;
    if (!row.settled) return { state: 'pending', railReference, nextLook: row.settles_at };
    if (row.outcome === 'fail') return { state: 'failed', railReference, nextLook: null };
    if (row.returned) return { state: 'returned', railReference, nextLook: null };
    return { state: 'completed', railReference, nextLook: row.returns_at };
  }
}
