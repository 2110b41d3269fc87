import { LRUCache } from 'lru-cache';
import { ReplyEnvelope } from './envelope';
import { REQUEST_DEADLINE_MS } from './request-context';

/** Answers kept after they were given. The replies of commands are small; what is not kept is handled once more. */
const ANSWERED_MAX = 1_000;
/** More than may be in flight. */
const ASKED_MAX = 4_000;

export interface CallOfReply {
  callId: string;
  /** Where its caller expects the reply. */
  replySubject: string;
}

/**
 * Handles a call once, however often its message arrives: a caller whose answer may be lost sends the same call again.
 * A repeat gets the answer of the handling that is under way or has just ended, so that it is right for operations
 * without a command id as well, and a command that took effect just now does not seem to be an older one.
 */
export class RepeatedCalls {
  private readonly underWay = new Map<string, Promise<ReplyEnvelope>>();
  private readonly answered = new LRUCache<string, Promise<ReplyEnvelope>>({
    max: ANSWERED_MAX,
    ttl: REQUEST_DEADLINE_MS,
  });
  private readonly asked = new LRUCache<string, string>({ max: ASKED_MAX, ttl: REQUEST_DEADLINE_MS });

  async answer(
    { subject, reply }: { subject: string; reply?: string | undefined },
    callId: string | undefined,
    handle: () => Promise<ReplyEnvelope>,
  ): Promise<ReplyEnvelope> {
    if (callId === undefined) return handle();
    if (reply !== undefined) this.asked.set(reply, callId);
    const key = `${subject} ${callId}`;
    const earlier = this.underWay.get(key) ?? this.answered.get(key);
    if (earlier) return earlier;
    const handled = handle().finally(() => {
      this.underWay.delete(key);
      this.answered.set(key, handled);
    });
    this.underWay.set(key, handled);
    return handled;
  }

  /** The call that expects, or has recently expected, its reply on this subject. */
  callOf(replySubject: string): CallOfReply | undefined {
    const callId = this.asked.get(replySubject);
    return callId === undefined ? undefined : { callId, replySubject };
  }

  /** All calls whose replies may be on their way. */
  recent(): CallOfReply[] {
    return [...this.asked].map(([replySubject, callId]) => ({ callId, replySubject }));
  }
}
