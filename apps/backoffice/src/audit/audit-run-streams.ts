import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { AuditRuns } from '@stablecoin/people-store/audit-runs';
import { Session, Sessions } from '@stablecoin/people-store/sessions';
import type { PassThrough } from 'node:stream';
import { eventText, send, SessionStream, SessionStreams } from '../live/session-streams';
import { AUDITING_ROLES } from './auditing-roles';

const LIMITS = { all: 100, ofMember: 5 };
const LOOK_EVERY_MS = 1_000;
/** How many looks apart it is seen whose session has ended, or whose role is another now. */
const CHECKED_EVERY = 5;

/**
 * Pages that see how a run of verify goes, as server-sent events. While one is open, the table is looked at once a second for all of
 * them. An event says of the newest run what its page may know anyway, so that a page that only looks asks for nothing: it keeps no
 * session alive.
 */
@Injectable()
export class AuditRunStreams implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(AuditRunStreams.name);
  private readonly streams: SessionStreams;
  /** To each page, last: nothing is said twice. */
  private readonly said = new WeakMap<SessionStream, string>();
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;
  private isLooking = false;
  private isAway = false;

  constructor(
    private readonly runs: AuditRuns,
    sessions: Sessions,
  ) {
    this.streams = new SessionStreams(sessions, LIMITS, AUDITING_ROLES);
  }

  /** Not begun by a request that listens: what it asks the database for would end with that request's deadline. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  beforeApplicationShutdown(): void {
    clearInterval(this.timer);
    this.streams.stop();
  }

  /** @throws Refusal rate_limited where a member, or this instance, has as many as it may */
  open(session: Session): PassThrough {
    return this.streams.open(session);
  }

  /** While the database is away nothing is said, and all hear on. */
  private async look(): Promise<void> {
    if (this.isLooking || this.streams.size === 0) return;
    this.isLooking = true;
    try {
      await this.tell();
      this.isAway = false;
    } catch (error) {
      if (!this.isAway) this.log.warn({ msg: 'how verifications go can not be read', err: error });
      this.isAway = true;
    }
    this.isLooking = false;
  }

  private async tell(): Promise<void> {
    if (this.looks % CHECKED_EVERY === 0) await this.streams.check();
    this.looks += 1;
    const [run, runner] = await Promise.all([this.runs.newest(), this.runs.runner()]);
    const text = eventText('audit-run', { run: run ? seen(run) : null, is_runner_there: runner.is_there });
    for (const stream of this.streams) {
      if (this.said.get(stream) !== text) send(stream.out, text);
      this.said.set(stream, text);
    }
  }
}

const seen = ({
  number,
  state,
  progress,
  running_seconds,
  cancelled_at,
}: NonNullable<Awaited<ReturnType<AuditRuns['newest']>>>) => ({
  ...{ number, state, progress, running_seconds },
  is_cancelled: cancelled_at !== null,
});
