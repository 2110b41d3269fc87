import { Injectable } from '@nestjs/common';
import { coalesced } from '@stablecoin/persistence/coalesced';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { PayoutConfiguration } from '../payout.configuration';
import { PayoutDatabase } from '../persistence/payout-database';
import { PayoutRail, RailPayout, RailStatus } from './payout-rail';
import { sandboxOutcome, sandboxRailReference, SandboxOutcome } from './sandbox-rules';

interface SentPayout {
  reference: string;
  outcome: SandboxOutcome;
  rail_reference: string;
}

interface SandboxRow extends SentPayout {
  settles_at: Date | null;
  returns_at: Date | null;
  settled: boolean;
  returned: boolean;
}

/**
 * A rail that moves no money and answers like one that does. It decides a payout's outcome when it receives it, and
 * shows it after some time. Its table is its own: the data of a real rail would be at its provider.
 */
@Injectable()
export class SandboxRail extends PayoutRail {
  constructor(
    private readonly database: PayoutDatabase,
    private readonly configuration: PayoutConfiguration,
  ) {
    super();
  }

  get isForLive(): boolean {
    return this.configuration.sandboxRailForLive;
  }

  async submit(payout: RailPayout): Promise<void> {
    await this.insert({
      reference: payout.reference,
      outcome: sandboxOutcome(payout.destination),
      rail_reference: sandboxRailReference(payout.reference, payout.network),
    });
  }

  async lookUp(reference: string): Promise<RailStatus> {
    const row = await this.find(reference);
    if (!row) return { state: 'unknown' };
    const railReference = row.rail_reference;
    if (!row.settled) return { state: 'pending', railReference, nextLook: row.settles_at };
    if (row.outcome === 'fail') return { state: 'failed', railReference, nextLook: null };
    if (row.returned) return { state: 'returned', railReference, nextLook: null };
    return { state: 'completed', railReference, nextLook: row.returns_at };
  }

  private readonly insert = coalesced(async (sent: readonly SentPayout[]) => {
    const column = columnsOf(sent);
    const settleMs = this.configuration.sandboxSettleMs;
    await this.database.$executeRaw`
      INSERT INTO sandbox_rail (reference, outcome, rail_reference, settles_at, returns_at)
      SELECT reference, outcome, rail_reference,
        CASE WHEN outcome <> 'hold' THEN moment + ${settleMs}::int * interval '1 millisecond' END,
        CASE WHEN outcome = 'return' THEN moment + 2 * ${settleMs}::int * interval '1 millisecond' END
      FROM clock_timestamp() AS moment,
        unnest(${column('reference')}::text[], ${column('outcome')}::text[], ${column('rail_reference')}::text[])
          AS sent (reference, outcome, rail_reference)
      ON CONFLICT (reference) DO NOTHING`;
    return sent.map(() => undefined);
  });

  private readonly find = coalesced(async (references: readonly string[]) => {
    const rows = await this.database.$queryRaw<SandboxRow[]>`
      SELECT reference, outcome, rail_reference, settles_at, returns_at,
        coalesce(settles_at <= clock_timestamp(), false) AS settled,
        coalesce(returns_at <= clock_timestamp(), false) AS returned
      FROM sandbox_rail WHERE reference = ANY (${arrayColumn(references)}::text[])`;
    const found = new Map(rows.map((row) => [row.reference, row]));
    return references.map((reference) => found.get(reference));
  });
}
