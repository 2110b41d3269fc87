import { Logger } from '@nestjs/common';

/** One thing that must hold before the process can do its work. */
export interface ReadinessCheck {
  name: string;
  /** @returns what is wrong, without secrets; undefined when the check holds. A throw means that it doesn't. */
  look: () => Promise<string | undefined>;
}

export interface CheckReport {
  ok: boolean;
  why?: string;
}

export interface ReadinessReport {
  ready: boolean;
  /** What the process is doing: only while `serving` it can be ready. */
  phase: Phase;
  checks: Record<string, CheckReport>;
}

export type Phase = 'starting' | 'serving' | 'draining';

const LOOK_MS = 1_000;
/** How long the result of a check is kept, however many requests come. */
const KEPT_MS = 1_000;
/** After this a check that does not end, perhaps over a half-open connection, is given up, and another one begun. */
const GIVEN_UP_MS = 10_000;

interface Looking {
  check: ReadinessCheck;
  startedAt: number;
  finding: Promise<CheckReport>;
  ended: boolean;
}

/**
 * Whether the process should receive work: it has started, every check holds, and it isn't about to stop. A request for
 * the state runs the checks, all at once, for a second each at most; results are kept for a second.
 */
export class Readiness {
  private readonly log = new Logger(Readiness.name);
  private readonly checks: ReadinessCheck[] = [];
  private readonly looks = new Map<ReadinessCheck, Looking>();
  private phase: Phase = 'starting';
  private told: string | undefined;

  add(...checks: ReadinessCheck[]): void {
    this.checks.push(...checks);
  }

  /** The process has started: from now on the checks decide. */
  serve(): void {
    if (this.phase === 'starting') this.phase = 'serving';
  }

  /** The first step of a stop: not ready from this moment on, whatever the checks say, while everything still works. */
  drain(): void {
    this.phase = 'draining';
  }

  get draining(): boolean {
    return this.phase === 'draining';
  }

  async report(): Promise<ReadinessReport> {
    const found = await Promise.all(this.checks.map(async (check) => [check.name, await this.finding(check)] as const));
    // Read after the checks: a stop may have begun meanwhile.
    const { phase } = this;
    const ready = phase === 'serving' && found.every(([, { ok }]) => ok);
    const report = { ready, phase, checks: Object.fromEntries(found) };
    this.tell(report);
    return report;
  }

  private finding(check: ReadinessCheck): Promise<CheckReport> {
    const now = performance.now();
    const last = this.looks.get(check);
    const age = last ? now - last.startedAt : Infinity;
    if (last && (age < KEPT_MS || (!last.ended && age < GIVEN_UP_MS))) {
      return last.ended ? last.finding : within(last.finding, Math.max(0, LOOK_MS - age));
    }
    const looking: Looking = { check, startedAt: now, ended: false, finding: look(check) };
    void looking.finding.then(() => (looking.ended = true));
    this.looks.set(check, looking);
    return within(looking.finding, LOOK_MS);
  }

  /** Once per change, so that the log shows since when and why. */
  private tell({ ready, phase, checks }: ReadinessReport): void {
    const broken = Object.entries(checks).flatMap(([name, { ok, why }]) => (ok ? [] : [`${name} ${why}`]));
    const state = ready ? 'ready' : ['not ready', phase, ...broken].join('; ');
    if (state === this.told) return;
    this.told = state;
    if (ready || phase !== 'serving') this.log.log(state);
    else this.log.warn(state);
  }
}

async function look(check: ReadinessCheck): Promise<CheckReport> {
  try {
    const why = await check.look();
    return why === undefined ? { ok: true } : { ok: false, why };
  } catch {
    // Not the error's own words: a driver's may name hosts, users and statements.
    return { ok: false, why: 'does not answer' };
  }
}

async function within(finding: Promise<CheckReport>, milliseconds: number): Promise<CheckReport> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<CheckReport>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false, why: `does not answer within ${LOOK_MS} ms` }), milliseconds);
  });
  try {
    return await Promise.race([finding, late]);
  } finally {
    clearTimeout(timer);
  }
}
