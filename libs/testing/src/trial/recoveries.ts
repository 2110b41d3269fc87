/**
 * How long each fault was felt. A fault has recovered when, on every shard, an operation of every kind that was sent after
 * the fault's end has succeeded. What lasts (a pause, a broker that is away) ends when it is lifted. A connection that was
 * broken meanwhile, or shortly before a kill, can't be judged while something greater is broken: its clock starts anew with
 * the end of that.
 */
import { Capability, OPERATION_KINDS, OperationKind } from './traffic/operation';

export const RECOVERY_GOAL_MS = 10_000;
/** What is slower has failed, and the next fault need not wait for it. */
export const GIVEN_UP_MS = 30_000;

export interface Felt {
  readonly kind: string;
  /** A connection's: it is judged after whatever greater comes between. */
  readonly minor: boolean;
  readonly beganAt: number;
  /** Undefined while it lasts. */
  endedAt: number | undefined;
  recoveredAt: number | undefined;
  /** What has not succeeded since. */
  readonly missing: Set<Capability>;
  /** What took longest. */
  last: Capability | undefined;
}

export class Recoveries {
  readonly all: Felt[] = [];
  private readonly open = new Set<Felt>();
  private readonly waiting = new Map<Felt, () => void>();
  private readonly capabilities: readonly Capability[];

  constructor(shards: readonly number[]) {
    this.capabilities = shards.flatMap((shard) => OPERATION_KINDS.map((kind) => ({ kind, shard })));
  }

  /** What has not been seen to work since a fault that is over. */
  awaited(): ReadonlySet<Capability> {
    return new Set([...this.open].flatMap(({ endedAt, missing }) => (endedAt === undefined ? [] : [...missing])));
  }

  /** @param lasts until `ended` is called; otherwise it is over as soon as it began */
  begin(kind: string, lasts: boolean): Felt {
    const felt = this.openFelt(kind, { minor: false, lasts });
    if (!lasts) this.judgeMinorOnesFrom(felt.beganAt);
    return felt;
  }

  beginMinor(kind: string): Felt {
    return this.openFelt(kind, { minor: true, lasts: false });
  }

  private openFelt(kind: string, { minor, lasts }: { minor: boolean; lasts: boolean }): Felt {
    const now = Date.now();
    const endedAt = lasts ? undefined : now;
    const felt: Felt = {
      kind,
      minor,
      beganAt: now,
      endedAt,
      recoveredAt: undefined,
      missing: new Set(this.capabilities),
      last: undefined,
    };
    this.all.push(felt);
    this.open.add(felt);
    return felt;
  }

  ended(felt: Felt): void {
    felt.endedAt = Date.now();
    this.judgeMinorOnesFrom(felt.endedAt);
  }

  private judgeMinorOnesFrom(moment: number): void {
    for (const felt of this.open) if (felt.minor) felt.endedAt = moment;
  }

  succeeded(kind: OperationKind, shard: number, sentAt: number): void {
    const works = this.capabilities.find((one) => one.kind === kind && one.shard === shard);
    for (const felt of this.open) {
      if (felt.endedAt === undefined || sentAt < felt.endedAt) continue;
      if (works && felt.missing.delete(works)) felt.last = works;
      if (felt.missing.size === 0) this.recover(felt);
    }
  }

  /** Resolves when it has recovered, or after `timeoutMs`. */
  async until(felt: Felt, timeoutMs: number): Promise<void> {
    if (felt.recoveredAt !== undefined) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      this.waiting.set(felt, done);
      timer = setTimeout(done, timeoutMs);
    });
    clearTimeout(timer);
    this.waiting.delete(felt);
  }

  /** The same for all that has not recovered yet. */
  async untilAll(timeoutMs: number): Promise<void> {
    await Promise.all([...this.open].map((felt) => this.until(felt, timeoutMs)));
  }

  /** Ends all waits. */
  stop(): void {
    for (const done of this.waiting.values()) done();
  }

  private recover(felt: Felt): void {
    felt.recoveredAt = Date.now();
    this.open.delete(felt);
    this.waiting.get(felt)?.();
  }
}

/** The operations that still fail, or the one that failed longest. */
export function toldCapabilities({ missing, last }: Felt): string {
  const named = ({ kind, shard }: Capability) => `${kind} on shard ${shard}`;
  if (missing.size > 0) return `still without ${[...missing].map(named).join(', ')}`;
  return last ? `${named(last)} last` : '';
}

/** Undefined when it never recovered. */
export const recoveryMs = ({ endedAt, recoveredAt }: Felt): number | undefined =>
  endedAt === undefined || recoveredAt === undefined ? undefined : recoveredAt - endedAt;
