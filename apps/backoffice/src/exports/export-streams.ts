import { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { ConsoleRefusal } from '../http/console-refusal';

/** Each has a page in memory, and asks the ledger for the next one as fast as it is read. */
const AT_ONCE_MAX = 8;
const OF_MEMBER_MAX = 1;
const RETRY_AFTER_SECONDS = 10;
/** A member that was removed, or signed out elsewhere, gets so many pages more. */
const CHECKED_EVERY_PAGES = 10;

/** Who reads an export, and whether the session is still there. */
export interface Exporting {
  memberId: string;
  requestId: string;
  isSignedIn: () => Promise<boolean>;
}

/** Asks for a page more, with a deadline of its own. */
export type AskForMore = <Page>(question: () => Promise<Page>) => Promise<Page>;

/**
 * What leaves in one piece: page after page as the browser reads, so that one page is in memory however many rows there are. The
 * first page is there before the answer begins, so that a refusal is one; one that comes later breaks the connection off, and the
 * file is seen to be incomplete; so does the end of the session.
 */
@Injectable()
export class ExportStreams {
  /** By member: how many are being read. */
  private readonly beingRead = new Map<string, number>();
  private readonly log = new Logger(ExportStreams.name);

  /** @throws Refusal rate_limited where the member reads another one, or too many others do */
  async open<Page>(
    { memberId, requestId, isSignedIn }: Exporting,
    firstPage: () => Promise<Page>,
    parts: (first: Page, more: AskForMore) => AsyncIterable<string | Uint8Array>,
  ): Promise<Readable> {
    const close = this.take(memberId);
    try {
      const first = await firstPage();
      let pages = 1;
      const more: AskForMore = async (question) => {
        if (pages++ % CHECKED_EVERY_PAGES === 0 && !(await isSignedIn())) throw new ConsoleRefusal('not_signed_in');
        return withRequestContext(freshRequestContext(requestId), question);
      };
      return Readable.from(parts(first, more), { objectMode: false, highWaterMark: 1 })
        .once('close', close)
        .once('error', (error) => this.log.warn({ msg: 'an export broke off', request_id: requestId, err: error }));
    } catch (error) {
      close();
      throw error;
    }
  }

  private take(memberId: string): () => void {
    const own = this.beingRead.get(memberId) ?? 0;
    const all = [...this.beingRead.values()].reduce((sum, count) => sum + count, 0);
    if (own >= OF_MEMBER_MAX || all >= AT_ONCE_MAX) throw Refusal.rateLimited(RETRY_AFTER_SECONDS);
    this.beingRead.set(memberId, own + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = (this.beingRead.get(memberId) ?? 1) - 1;
      if (left > 0) this.beingRead.set(memberId, left);
      else this.beingRead.delete(memberId);
    };
  }
}
