import { BeforeApplicationShutdown, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import {
  ChangesOfMerchant,
  isTransactionsChanged,
  TRANSACTIONS_CHANGED,
} from '@stablecoin/contracts/wallet/transactions-changed';
import { Announcements } from '@stablecoin/messaging/announcements';
import { Session, Sessions } from '@stablecoin/people-store/sessions';
import type { PassThrough } from 'node:stream';
import { eventText, send, SessionStreams } from './session-streams';

const LIMITS = { all: 500, ofMember: 10 };
/** Of one merchant at once; of more, a page asks for all that it shows. */
const NAMED_MAX = 50;
/** How long a page hears on after its session has ended, and how often a proxy sees that the connection is in use. */
const CHECKED_EVERY_MS = 5_000;

/**
 * Pages that are told which transactions of their merchant have changed, as server-sent events. An event names a transaction and says
 * nothing of it: what a person may see is decided where the page asks for it. Nothing is sent again; a page that was away asks for all.
 */
@Injectable()
export class LiveStreams implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly streams: SessionStreams;
  private stopHearing = (): void => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly announcements: Announcements,
    sessions: Sessions,
  ) {
    this.streams = new SessionStreams(sessions, LIMITS);
  }

  onApplicationBootstrap(): void {
    this.stopHearing = this.announcements.hear(TRANSACTIONS_CHANGED, isTransactionsChanged, ({ merchants }) =>
      merchants.forEach((changes) => this.tell(changes)),
    );
    this.timer = setInterval(() => void this.streams.check(), CHECKED_EVERY_MS);
  }

  beforeApplicationShutdown(): void {
    this.stopHearing();
    clearInterval(this.timer);
    this.streams.stop();
  }

  /** @throws Refusal rate_limited where a member, or this instance, has as many as it may */
  open(session: Session): PassThrough {
    return this.streams.open(session);
  }

  private tell({ merchant_id, transaction_ids }: ChangesOfMerchant): void {
    const text = eventsOf(transaction_ids);
    for (const { session, out } of this.streams) if (session.merchant_id === merchant_id) send(out, text);
  }
}

function eventsOf(ids: readonly string[]): string {
  const named: readonly (string | null)[] = ids.length === 0 || ids.length > NAMED_MAX ? [null] : ids;
  return named.map((id) => eventText('transaction', { transaction_id: id })).join('');
}
