/** Moves during a run: with nothing in their way, where they are measured, and struck, where each must come to an end all the same. */
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { Drawing } from '@stablecoin/testing/drawing';
import { progress } from '@stablecoin/testing/trial/progress';
import { GIVEN_UP_MS, Recoveries, recoveryMs, toldCapabilities } from '@stablecoin/testing/trial/recoveries';
import type { Latencies, ShardFigures } from './latencies';
import { isOrderly, Moved, Mover, MoverEnd } from './mover';
import { MoveWatch, whereShardsAre } from './placement';
import { LedgerServer, SHARDS, Site } from './site';
import { Strike, toldStrike, Victim } from './strikes';

/** As long as a move takes, about. */
const BEFORE_MS = 4_000;
const AFTER_MS = 1_500;
const MOVE_TIMEOUT_MS = 60_000;
/** The same command given over and over: the servers are back by then. */
const ATTEMPTS_MAX = 12;
const ATTEMPT_PAUSE_MS = 1_000;
const AWAY_MS = { least: 300, most: 3_000 };
const UNDONE_ONE_IN = 3;
/** How long a move takes, until one has been seen. */
const USUAL_MS = 2_500;

/** A move that nothing struck. */
export interface MeasuredMove extends Moved {
  from: string;
  ms: number;
  /** Merchants on all other shards: just before, with the same load, and during it. */
  others: { before: ShardFigures; during: ShardFigures };
  /** The merchant on the shard that moved. */
  moved_shard: ShardFigures & { longest_gap_ms: number };
}

export interface StruckMove {
  strike: string;
  shard: number;
  from: string;
  to: string;
  /** Whether the mover was still at work when it was struck. */
  in_time: boolean;
  /** How the struck mover ended. */
  first_end: string;
  /** Commands given after that, and the side that they named. */
  attempts: number;
  ended_on: string;
  recovery_ms: number | null;
}

export class Moves {
  readonly measured: MeasuredMove[] = [];
  readonly struck: StruckMove[] = [];
  /** What no move may do: end in another way than a command does, never end, or leave a shard elsewhere than it said. */
  readonly findings: string[] = [];
  private usualMs = USUAL_MS;

  constructor(
    private readonly site: Site,
    private readonly recoveries: Recoveries,
    private readonly latencies: Latencies,
    private readonly draw: Drawing,
    private readonly interrupted: AbortSignal,
  ) {}

  /** Before there is any load: the shards on all databases alike. New ones are at home. */
  async spread(): Promise<void> {
    const { databases } = this.site;
    const away = Array.from({ length: SHARDS }, (_, shard) => ({ shard, at: shard % databases.length })).filter(
      ({ at }) => at > 0,
    );
    await Promise.all(
      away.map(async ({ shard, at }) => {
        const { name } = databases[at] as LedgerServer;
        const end = await Mover.start(this.site, shard, name).endedWithin(MOVE_TIMEOUT_MS);
        if (!end?.moved) throw new Error(`shard ${shard} can't be moved to ${name}: ${told(end)}`);
      }),
    );
  }

  async measure(): Promise<void> {
    const { shard, source, target } = await this.drawn();
    const before = { from: Date.now(), to: Date.now() + BEFORE_MS };
    await this.pause(BEFORE_MS);
    if (this.interrupted.aborted) return;
    const from = Date.now();
    const end = await Mover.start(this.site, shard, target.name).endedWithin(MOVE_TIMEOUT_MS);
    const during = { from, to: Date.now() };
    await this.pause(AFTER_MS);
    if (!end?.moved) {
      this.findings.push(
        `shard ${shard} was not moved from ${source.name} to ${target.name}, though nothing struck: ${told(end)}`,
      );
      await this.untilMoved(shard, target.name);
      return;
    }
    this.usualMs = end.ms;
    const others = (one: number) => one !== shard;
    const settled = { from, to: during.to + AFTER_MS };
    const measured: MeasuredMove = {
      ...{ ...end.moved, from: source.name, ms: end.ms },
      others: {
        before: this.latencies.figures(before, others),
        during: this.latencies.figures(during, others),
      },
      moved_shard: {
        ...this.latencies.figures(settled, (one) => one === shard),
        longest_gap_ms: this.latencies.longestGapMs(settled, shard),
      },
    };
    this.measured.push(measured);
    await this.requirePlace(shard, target.name);
    progress(toldMeasured(measured));
  }

  async strike(strike: Strike): Promise<void> {
    const { shard, source, target } = await this.drawn();
    const what = toldStrike(strike);
    const watch = await MoveWatch.start(shard, source, target);
    try {
      const felt = this.recoveries.begin(what, true);
      const mover = Mover.start(this.site, shard, target.name);
      await this.untilMoment(strike, watch, mover);
      const inTime = mover.isRunning;
      const over = Promise.all(
        strike.victims.map((victim) => this.hit(victim, { mover, source, target, owner: watch.owner })),
      );
      const first = await mover.endedWithin(MOVE_TIMEOUT_MS);
      if (!first)
        this.findings.push(`${what}: the mover of shard ${shard} did not end within ${MOVE_TIMEOUT_MS / 1_000} s`);
      else if (!isOrderly(first)) this.findings.push(`${what}: the mover of shard ${shard} ended with ${told(first)}`);
      await over;
      const undone = !first?.moved && this.draw.below(UNDONE_ONE_IN) === 0;
      const to = undone ? source.name : target.name;
      const attempts = first?.moved ? 0 : await this.untilMoved(shard, to);
      if (this.interrupted.aborted) return;
      await this.requirePlace(shard, to);
      this.recoveries.ended(felt);
      await this.recoveries.until(felt, GIVEN_UP_MS);
      const struck: StruckMove = {
        ...{ strike: what, shard, from: source.name, to: target.name, in_time: inTime },
        ...{ first_end: told(first), attempts, ended_on: to, recovery_ms: recoveryMs(felt) ?? null },
      };
      this.struck.push(struck);
      progress(`${toldStruck(struck)}; ${toldCapabilities(felt)}`);
    } finally {
      watch.end();
    }
  }

  private async drawn(): Promise<{ shard: number; source: LedgerServer; target: LedgerServer }> {
    const { databases } = this.site;
    const places = await whereShardsAre(databases);
    const shard = this.draw.below(SHARDS);
    const source = databases.find(({ name }) => name === places.get(shard)?.[0]);
    if (!source) throw new Error(`shard ${shard} is on no database`);
    return { shard, source, target: this.draw.oneOf(databases.filter((one) => one !== source)) };
  }

  private async untilMoment({ moment }: Strike, watch: MoveWatch, mover: Mover): Promise<void> {
    if (moment === 'any moment') await this.pause(this.draw.between(0, this.usualMs));
    else await watch.reaches(moment, () => mover.isRunning && !this.interrupted.aborted);
  }

  /** Resolves when it is over: a server runs again. */
  private async hit(victim: Victim, { mover, source, target, owner }: Struck): Promise<void> {
    switch (victim) {
      case 'mover':
        mover.kill();
        break;
      case 'owner':
        this.killOwner(owner);
        break;
      case 'source':
        await this.stopAtOnce(source);
        break;
      case 'target':
        await this.stopAtOnce(target);
        break;
      case 'bystander':
        await this.stopAtOnce(this.site.databases.find((one) => one !== source && one !== target) as LedgerServer);
        break;
      case 'broker':
        process.kill(this.site.nats.current.pid, 'SIGKILL');
        break;
    }
  }

  /** Started again by the trial's keeper of services. */
  private killOwner(pid: number | null): void {
    const name = this.site.ledgers.find((one) => this.site.services.processOf(one).pid === pid);
    if (name !== undefined) this.site.services.processOf(name).kill();
  }

  private async stopAtOnce({ server }: LedgerServer): Promise<void> {
    const back = new Promise<void>((resolve) => server.onRestart(resolve));
    server.hold();
    try {
      server.current.stopAtOnce();
      await this.pause(this.draw.between(AWAY_MS.least, AWAY_MS.most));
    } finally {
      server.release();
    }
    await back;
  }

  /** Gives the command until it succeeds. @returns how often */
  private async untilMoved(shard: number, to: string): Promise<number> {
    let last = '';
    for (let attempt = 1; attempt <= ATTEMPTS_MAX && !this.interrupted.aborted; attempt += 1) {
      const end = await Mover.start(this.site, shard, to).endedWithin(MOVE_TIMEOUT_MS);
      if (end?.moved) return attempt;
      last = told(end);
      if (end && !isOrderly(end))
        this.findings.push(`a move of shard ${shard} to ${to} that nothing struck ended with ${last}`);
      await this.pause(ATTEMPT_PAUSE_MS);
    }
    if (!this.interrupted.aborted)
      this.findings.push(`shard ${shard} could not be moved to ${to} in ${ATTEMPTS_MAX} attempts: ${last}`);
    return ATTEMPTS_MAX;
  }

  private async requirePlace(shard: number, to: string): Promise<void> {
    try {
      const places = (await whereShardsAre(this.site.databases)).get(shard) ?? [];
      if (places.join() !== to)
        this.findings.push(`shard ${shard} was moved to ${to} and is on ${places.join(' and ') || 'none'}`);
    } catch (error) {
      this.findings.push(`where shard ${shard} is can't be read: ${errorMessage(error)}`);
    }
  }

  private async pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.interrupted }).catch(() => undefined);
  }
}

interface Struck {
  mover: Mover;
  source: LedgerServer;
  target: LedgerServer;
  owner: number | null;
}

function told(end: MoverEnd | undefined): string {
  if (end === undefined) return 'never';
  if (end.moved) return 'done';
  const said = end.said.split('\n').at(-1) ?? '';
  return end.code === null ? 'killed' : `code ${end.code}: ${said}`;
}

const toldMeasured = ({ shard, from, database, events, ms, reserved_ms, others, moved_shard: moved }: MeasuredMove) =>
  `shard ${shard} from ${from} to ${database}: ${events} events in ${ms} ms, reserved for ${reserved_ms} ms; p99 on other shards ` +
  `${others.before.p99_ms} ms before, ${others.during.p99_ms} ms during; its own merchant waited ${moved.slowest_ms} ms at most, ` +
  `${moved.unavailable} × 503`;

const toldStruck = ({ strike, shard, from, to, in_time, first_end, attempts, ended_on, recovery_ms }: StruckMove) =>
  `shard ${shard} from ${from} to ${to}, ${strike}${in_time ? '' : ' (the mover had ended)'}: ${first_end}; on ${ended_on} after ` +
  `${attempts} more, ${recovery_ms === null ? 'NOT recovered' : `recovered in ${(recovery_ms / 1_000).toFixed(1)} s`}`;
