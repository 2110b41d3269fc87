import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import {
  ChangesOfMerchant,
  isTransactionsChanged,
  TRANSACTIONS_CHANGED,
} from '@stablecoin/contracts/wallet/transactions-changed';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Announcements } from '@stablecoin/messaging/announcements';
import { Session, Sessions } from '@stablecoin/people-store/sessions';
import { PassThrough } from 'node:stream';
import { AGAIN, send, STILL_THERE } from './event-stream';

const STREAMS_MAX = 500;
const OF_MEMBER_MAX = 10;
/** Of one merchant at once; of more, a page asks for all that it shows. */
const NAMED_MAX = 50;
/** How long a page hears on after its session has ended, and how often a proxy sees that the connection is in use. */
const CHECKED_EVERY_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;

interface LiveStream {
  session: Session;
  out: PassThrough;
}

/**
 * Pages that are told which transactions of their merchant have changed, as server-sent events. An event names a transaction and says
 * nothing of it: what a person may see is decided where the page asks for it. Nothing is sent again; a page that was away asks for all.
 */
@Injectable()
export class LiveStreams implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly streams = new Set<LiveStream>();
  private stopHearing = (): void => undefined;
  private timer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly announcements: Announcements,
    private readonly sessions: Sessions,
  ) {}

  onApplicationBootstrap(): void {
    this.stopHearing = this.announcements.hear(TRANSACTIONS_CHANGED, isTransactionsChanged, ({ merchants }) =>
      merchants.forEach((changes) => this.tell(changes)),
    );
    this.timer = setInterval(() => void this.check(), CHECKED_EVERY_MS);
  }

  beforeApplicationShutdown(): void {
    this.isStopping = true;
    this.stopHearing();
    clearInterval(this.timer);
    for (const { out } of this.streams) out.end();
  }

  /** @throws Refusal rate_limited where a member, or this instance, has as many as it may */
  open(session: Session): PassThrough {
    if (this.isStopping) throw new Refusal('unavailable');
    const ofMember = [...this.streams].filter((stream) => stream.session.member_id === session.member_id).length;
    if (ofMember >= OF_MEMBER_MAX || this.streams.size >= STREAMS_MAX) throw Refusal.rateLimited(RETRY_AFTER_SECONDS);
    const out = new PassThrough();
    const stream = { session, out };
    this.streams.add(stream);
    out.once('close', () => this.streams.delete(stream));
    out.write(AGAIN);
    return out;
  }

  private tell({ merchant_id, transaction_ids }: ChangesOfMerchant): void {
    const text = eventsOf(transaction_ids);
    for (const { session, out } of this.streams) if (session.merchant_id === merchant_id) send(out, text);
  }

  /** While the database is away it is not known whose session has ended, and all hear on. */
  private async check(): Promise<void> {
    if (this.streams.size === 0) return;
    const asked = [...this.streams];
    const goOn = await this.sessions.goingOn(asked.map(({ session }) => session.session_id)).catch(() => undefined);
    for (const { session, out } of asked) {
      if (goOn && !goOn.has(session.session_id)) out.end();
      else send(out, STILL_THERE);
    }
  }
}

function eventsOf(ids: readonly string[]): string {
  const named: readonly (string | null)[] = ids.length === 0 || ids.length > NAMED_MAX ? [null] : ids;
  return named.map((id) => `event: transaction\ndata: ${JSON.stringify({ transaction_id: id })}\n\n`).join('');
}
