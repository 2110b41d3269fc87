import { Injectable } from '@nestjs/common';
import { coalesced } from '@stablecoin/persistence/coalesced';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { PayoutConfiguration } from '../payout.configuration';
import { PayoutDatabase } from '../persistence/payout-database';
import { sandboxRailReference } from '@stablecoin/contracts/payout/rail-references';
import { Network } from '@stablecoin/money/currency';
import { KnownStatus, PayoutRail, RailPayout, RailStatus } from './payout-rail';
import { sandboxOutcome, SandboxOutcome } from './sandbox-rules';

interface SentPayout {
  reference: string;
  outcome: SandboxOutcome;
  rail_reference: string;
  /** It goes by another rail, or with the outcome `fail` by none. */
  declined: boolean;
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

  async submit({ reference, network, destination }: RailPayout): Promise<KnownStatus> {
    await this.take(reference, network, sandboxOutcome(destination));
    return this.taken(reference);
  }

  /**
   * Fails a payout that no rail takes by the settings of this instance. It takes the payout's name before the ledger hears
   * of it: an instance with other settings would send it after the ledger gave the money back and the answer was lost.
   *
   * @returns what the rail says of it that took it before
   */
  async refuse(reference: string): Promise<KnownStatus> {
    await this.insert({ reference, outcome: 'fail', rail_reference: '', declined: true });
    return this.taken(reference);
  }

  /**
   * Takes a payout whose outcome is given by hand, unless it was taken before.
   *
   * @returns false where it goes by another rail, and no one but that rail knows its outcome
   */
  async takeForOutcomeByHand(reference: string, network: Network | null): Promise<boolean> {
    await this.take(reference, network, 'hold');
    return (await this.lookUp(reference)).state !== 'unknown';
  }

  async lookUp(reference: string): Promise<RailStatus> {
    const row = await this.find(reference);
    if (row?.declined && row.outcome === 'fail') return { state: 'failed', railReference: null, nextLook: null };
    if (!row || row.declined) return { state: 'unknown' };
    const railReference = row.rail_reference;
    if (!row.settled) return { state: 'pending', railReference, nextLook: row.settles_at };
    if (row.outcome === 'fail') return { state: 'failed', railReference, nextLook: null };
    if (row.returned) return { state: 'returned', railReference, nextLook: null };
    return { state: 'completed', railReference, nextLook: row.returns_at };
  }

  private take(reference: string, network: Network | null, outcome: SandboxOutcome): Promise<void> {
    return this.insert({
      ...{ reference, outcome, rail_reference: sandboxRailReference(reference, network), declined: false },
    });
  }

  private async taken(reference: string): Promise<KnownStatus> {
    const status = await this.lookUp(reference);
    if (status.state === 'unknown') throw new Error(`${reference} went by another rail meanwhile`);
    return status;
  }

  private readonly insert = coalesced(async (sent: readonly SentPayout[]) => {
    const column = columnsOf(sent);
    const settleMs = this.configuration.sandboxSettleMs;
    await this.database.$executeRaw`
      INSERT INTO sandbox_rail (reference, outcome, rail_reference, declined, settles_at, returns_at)
      SELECT reference, outcome, rail_reference, declined,
        CASE WHEN outcome <> 'hold' THEN moment + ${settleMs}::int * interval '1 millisecond' END,
        CASE WHEN outcome = 'return' THEN moment + 2 * ${settleMs}::int * interval '1 millisecond' END
      FROM clock_timestamp() AS moment,
        unnest(${column('reference')}::text[], ${column('outcome')}::text[], ${column('rail_reference')}::text[],
          ${arrayColumn(sent.map(({ declined }) => String(declined)))}::boolean[]) AS sent (reference, outcome, rail_reference, declined)
      ON CONFLICT (reference) DO NOTHING`;
    return sent.map(() => undefined);
  });

  private readonly find = coalesced(async (references: readonly string[]) => {
    const rows = await this.database.$queryRaw<SandboxRow[]>`
      SELECT reference, outcome, rail_reference, settles_at, returns_at, declined,
        coalesce(settles_at <= clock_timestamp(), false) AS settled,
        coalesce(returns_at <= clock_timestamp(), false) AS returned
      FROM sandbox_rail WHERE reference = ANY (${arrayColumn(references)}::text[])`;
    const found = new Map(rows.map((row) => [row.reference, row]));
    return references.map((reference) => found.get(reference));
  });
}
