/**
 * Does the runs of verify that people at the console have asked for, one after the other. Each round, at the people database: hold
 * the lease → end what is in no one's hands → take what was asked for, or say how the run in hand goes and hear whether it was
 * cancelled → write down how it ended. While that database is away the auditor goes on, and what it found is written down later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditOutcome, AuditWork } from '@stablecoin/people-store/audit-work';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import type { VerifyProcess } from './verify-process';

const STOPPED = 'The runner was stopped in the midst of it: ask for another run.';
const NOT_KEPT = "The database refused the report: the runner's log says why.";
/** How long a stop waits for a database that does not answer: the next runner then ends what this one began. */
const FAREWELL_MS = 5_000;

export interface RunnerLog {
  log(message: object): void;
  warn(message: object): void;
}

export interface AuditRunnerOptions {
  work: AuditWork;
  startVerify: () => VerifyProcess;
  log: RunnerLog;
  pollMs: number;
  now?: () => number;
}

interface Run {
  number: number;
  verify: VerifyProcess;
}

export class AuditRunner {
  private run: Run | undefined;
  private outcome: AuditOutcome | undefined;
  private isHolder: boolean | undefined;
  private isAway = false;
  private lookedAt: number | undefined;
  private readonly stopping = new AbortController();

  constructor(private readonly options: AuditRunnerOptions) {}

  /** When the database answered last. */
  get lastLookAt(): number | undefined {
    return this.lookedAt;
  }

  /** Resolves when it was stopped. */
  async work(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.attempt();
      const pause = sleep(this.options.pollMs, undefined, { signal }).catch(() => undefined);
      await Promise.race([pause, ...(this.run && !this.outcome ? [this.run.verify.ended] : [])]);
    }
    await this.leave();
  }

  stop(): void {
    this.stopping.abort();
  }

  private async attempt(): Promise<void> {
    try {
      await this.round();
      if (this.isAway) this.options.log.log({ msg: 'the people database is back' });
      this.isAway = false;
      this.lookedAt = (this.options.now ?? Date.now)();
    } catch (error) {
      if (!this.isAway) this.options.log.warn({ msg: 'the people database does not answer: waits', err: error });
      this.isAway = true;
    }
  }

  private async round(): Promise<void> {
    const { work, log } = this.options;
    const held = await work.hold();
    if (held !== this.isHolder) log.log({ msg: held ? 'does what is asked for' : 'another runner is at it: waits' });
    this.isHolder = held;
    if (!held) return this.abandon();
    for (const number of await work.endInterrupted(this.run?.number))
      log.warn({ msg: 'a run that was left behind is interrupted', number });
    if (this.run === undefined) await this.begin();
    else await this.follow(this.run);
  }

  private async begin(): Promise<void> {
    const { work, log, startVerify } = this.options;
    const number = await work.take();
    if (number === undefined) return;
    log.log({ msg: 'verify begins', number });
    const verify = startVerify();
    const run = { number, verify };
    this.run = run;
    void verify.ended.then((outcome) => {
      if (this.run === run) this.outcome = outcome;
    });
  }

  private async follow(run: Run): Promise<void> {
    const { work, log } = this.options;
    const { number, verify } = run;
    const fate = await work.tell(number, verify.progress);
    if (fate === 'gone') return this.abandon();
    if (fate === 'cancelled' && !isVerdict(this.outcome)) {
      log.log({ msg: 'verify is cancelled', number });
      return this.end(number, await verdictOr({ state: 'cancelled' }, verify));
    }
    if (this.outcome !== undefined) await this.end(number, this.outcome);
  }

  private async end(number: number, outcome: AuditOutcome): Promise<void> {
    const { work, log } = this.options;
    try {
      await work.end(number, outcome);
    } catch (error) {
      if (databaseFailure(error).kind !== 'bug') throw error;
      log.warn({ msg: 'the report was not kept', number, err: error });
      await work.end(number, { state: 'failed', failure: NOT_KEPT });
    }
    log.log({ msg: 'verify ended', number, state: outcome.state });
    this.forget();
  }

  /** The run is another instance's, or has ended without this one. */
  private async abandon(): Promise<void> {
    if (this.run === undefined) return;
    const { number, verify } = this.run;
    this.options.log.warn({ msg: 'the run is not this runner’s any more: verify is stopped', number });
    this.forget();
    await verify.stop();
  }

  private forget(): void {
    this.run = undefined;
    this.outcome = undefined;
  }

  private async leave(): Promise<void> {
    const { work, log } = this.options;
    const { run, outcome } = this;
    await run?.verify.stop();
    const farewell = async () => {
      if (run) await work.end(run.number, outcome ?? (await this.interrupted(run)));
      await work.letGo();
    };
    const late = sleep(FAREWELL_MS, undefined, { ref: false }).then(() => {
      throw new Error('the people database does not answer');
    });
    await Promise.race([farewell(), late]).catch((error: unknown) =>
      log.warn({ msg: 'could not say that it ends: the next runner does', err: error }),
    );
  }

  private async interrupted({ number, verify }: Run): Promise<AuditOutcome> {
    const fate = await this.options.work.tell(number, verify.progress);
    return verdictOr(
      fate === 'cancelled' ? { state: 'cancelled' } : { state: 'interrupted', failure: STOPPED },
      verify,
    );
  }
}

const isVerdict = (outcome: AuditOutcome | undefined): boolean => outcome !== undefined && 'report' in outcome;

/** What comes of a verify that is stopped: a verdict that it had reached before it heard of that counts. */
async function verdictOr(otherwise: AuditOutcome, verify: VerifyProcess): Promise<AuditOutcome> {
  const outcome = await verify.stop();
  return isVerdict(outcome) ? outcome : otherwise;
}
