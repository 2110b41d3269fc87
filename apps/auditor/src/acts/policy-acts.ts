/**
 * Whether the ledger has taken the policies that operators have stated, and no others. The log by itself can't show that one was kept back,
 * since the next one that is stated may have its number; the record of operators' acts names each before the ledger is asked.
 */
import { POLICY_STATED_WITHIN_MS, PolicyEvidence, readEvidence } from '@stablecoin/command-proofs/evidence';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { OperatorsAct } from './operators-acts';

export interface PolicyActs {
  /** How many acts name a policy that the log has. */
  agreeing: number;
  faults: string[];
}

interface Taken extends PolicyEvidence {
  shard: number;
  position: number;
  recorded_at: string;
}

/** Follows the log page by page: policies are rare, and all of them are kept. */
export class PolicyActsCheck {
  private readonly taken: Taken[] = [];

  follow(page: readonly RecordedEvent[]): void {
    for (const { movement, asked_by, shard, position, recorded_at } of page) {
      if (movement !== 'policy-changed' || !asked_by?.evidence) continue;
      const stated = readEvidence('policy', asked_by.evidence);
      // Acts of versions before name no command.
      if (stated?.policy_version !== undefined) this.taken.push({ ...stated, shard, position, recorded_at });
    }
  }

  /** @param now acts of the last minutes may be on their way */
  compare(acts: readonly OperatorsAct[], now: Date): PolicyActs {
    const stated = acts.filter(
      ({ action, details }) => action === 'policies set' && details?.['command_id'] !== undefined,
    );
    const byCommand = new Map(this.taken.map((taken) => [taken.command_id, taken]));
    const ends = new Map(
      acts.flatMap(({ action, details }) =>
        action === 'policies set refused' || action === 'policies set unanswered'
          ? [[details?.['command_id'], action]]
          : [],
      ),
    );
    const lacking = stated
      .filter(({ details }) => !byCommand.has(String(details?.['command_id'])))
      .filter((act) => !this.isExcused(act, ends.get(act.details?.['command_id']), now))
      .map((act) => `${of(act)} is not in the log: it was kept back`);
    const differing = stated.flatMap((act) => {
      const taken = byCommand.get(String(act.details?.['command_id']));
      return taken && !isSame(act, taken) ? [`${of(act)} is another one in the log, ${at(taken)}`] : [];
    });
    const known = new Set(stated.map(({ details }) => details?.['command_id']));
    // The newest, wherever it stands: by one more that is dated in the past nothing would be missed any more.
    const last = acts.reduce((newest, { recorded_at }) => (recorded_at > newest ? recorded_at : newest), '');
    const unstated = this.taken
      .filter(({ command_id, recorded_at }) => !known.has(command_id) && recorded_at < last)
      .map((taken) => `a policy that ${taken.changed_by} is said to have stated, ${at(taken)}, is in no act`);
    const faults = [...lacking, ...differing, ...unstated];
    return { agreeing: stated.length - lacking.length - differing.length, faults };
  }

  /** The ledger has refused it; or it did not answer, and another one that was stated afterwards was taken. */
  private isExcused({ merchant_id, recorded_at }: OperatorsAct, end: string | undefined, now: Date): boolean {
    if (end === 'policies set refused') return true;
    if (end === undefined) return Date.parse(recorded_at) > now.getTime() - POLICY_STATED_WITHIN_MS;
    return this.taken.some((taken) => taken.merchant_id === merchant_id && taken.recorded_at > recorded_at);
  }
}

const of = ({ number, actor, recorded_at, merchant_id, details }: OperatorsAct): string =>
  `act ${number}, version ${String(details?.['policy_version'])} of the policy of merchant ${merchant_id} by ${actor} at ${recorded_at},`;

const at = ({ shard, position }: Taken): string => `shard ${shard} position ${position}`;

const isSame = ({ actor, reason, merchant_id, details }: OperatorsAct, taken: Taken): boolean =>
  taken.changed_by === actor &&
  taken.reason === (reason ?? '') &&
  taken.merchant_id === merchant_id &&
  taken.policy_version === details?.['policy_version'] &&
  taken.stated_at === details?.['stated_at'];
