import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { AuditRuns } from '@stablecoin/people-store/audit-runs';
import { Session, Sessions } from '@stablecoin/people-store/sessions';
import { PassThrough } from 'node:stream';
import { AGAIN, send, STILL_THERE } from '../live/event-stream';
import { AUDITING_ROLES } from './auditing-roles';

const STREAMS_MAX = 100;
const OF_MEMBER_MAX = 5;
const LOOK_EVERY_MS = 1_000;
/** How many looks apart it is seen whose session has ended, or whose role is another now. */
const CHECKED_EVERY = 5;
const RETRY_AFTER_SECONDS = 5;

interface RunStream {
  session: Session;
  out: PassThrough;
  said: string;
}

/**
 * Pages that see how a run of verify goes, as server-sent events. While one is open, the table is looked at once a second for all of
 * them. An event says of the newest run what its page may know anyway, so that a page that only looks asks for nothing: it keeps no
 * session alive.
 */
@Injectable()
export class AuditRunStreams implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly streams = new Set<RunStream>();
  private timer: NodeJS.Timeout | undefined;
  private looks = 0;
  private isLooking = false;
  private isStopping = false;

  constructor(
    private readonly runs: AuditRuns,
    private readonly sessions: Sessions,
  ) {}

  /** Not begun by a request that listens: what it asks the database for would end with that request's deadline. */
  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    clearInterval(this.timer);
    for (const { out } of this.streams) out.end();
  }

  /** @throws Refusal rate_limited where a member, or this instance, has as many as it may */
  open(session: Session): PassThrough {
    if (this.isStopping) throw new Refusal('unavailable');
    const ofMember = [...this.streams].filter((stream) => stream.session.member_id === session.member_id).length;
    if (ofMember >= OF_MEMBER_MAX || this.streams.size >= STREAMS_MAX) throw Refusal.rateLimited(RETRY_AFTER_SECONDS);
    const out = new PassThrough();
    const stream = { session, out, said: '' };
    this.streams.add(stream);
    out.once('close', () => this.streams.delete(stream));
    out.write(AGAIN);
    return out;
  }

  /** While the database is away nothing is said, and all hear on. */
  private async look(): Promise<void> {
    if (this.isLooking || this.streams.size === 0) return;
    this.isLooking = true;
    await this.tell().catch(() => undefined);
    this.isLooking = false;
  }

  private async tell(): Promise<void> {
    const isChecking = this.looks % CHECKED_EVERY === 0;
    this.looks += 1;
    if (isChecking) await this.endOthers();
    const [run, runner] = await Promise.all([this.runs.newest(), this.runs.runner()]);
    const text = `event: audit-run\ndata: ${JSON.stringify({ run: run ? seen(run) : null, is_runner_there: runner.is_there })}\n\n`;
    for (const stream of this.streams) {
      if (stream.said !== text) send(stream.out, text);
      else if (isChecking) send(stream.out, STILL_THERE);
      stream.said = text;
    }
  }

  private async endOthers(): Promise<void> {
    const asked = [...this.streams];
    const ids = asked.map(({ session }) => session.session_id);
    const goOn = await this.sessions.goingOn(ids, AUDITING_ROLES);
    for (const { session, out } of asked) if (!goOn.has(session.session_id)) out.end();
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
