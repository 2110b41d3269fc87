import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { releasingSlot } from './concurrency-limiter';
import { ReplyEnvelope } from './envelope';

type Handle = () => Promise<ReplyEnvelope>;

/** Longer than it takes to look a stored result up, shorter than a caller likes to wait for `idempotency_in_flight`. */
const STORED_WITHIN_MS = 500;
/** Repeats of one command that wait; further ones are refused at once. */
const WAITING_MAX = 32;

interface UnderWay {
  handled: Set<Promise<ReplyEnvelope>>;
  waiting: number;
}

/**
 * Gives the stored result of a command to each of several repeats that arrive at once. A handler that takes a command
 * once at a time refuses all but one of them with `idempotency_in_flight`, before it knows that the one will find a
 * stored result. Such a refusal waits for a moment here: if the one finds it, it is everyone's.
 */
export class RepeatedCommands {
  private readonly underWay = new Map<string, UnderWay>();

  /** @throws what `handle` throws; `idempotency_in_flight` when the command has no stored result yet */
  async answer(subject: string, body: unknown, handle: Handle): Promise<ReplyEnvelope> {
    const key = keyOf(subject, body);
    if (key === undefined) return handle();
    const underWay = this.underWay.get(key) ?? { handled: new Set(), waiting: 0 };
    this.underWay.set(key, underWay);
    const before = [...underWay.handled];
    const handled = handle().finally(() => {
      underWay.handled.delete(handled);
      if (underWay.handled.size === 0) this.underWay.delete(key);
    });
    underWay.handled.add(handled);
    try {
      return await handled;
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'idempotency_in_flight')) throw error;
      const stored = await this.storedResult(underWay, [...before, ...underWay.handled]);
      if (!stored) throw error;
      return stored;
    }
  }

  private async storedResult(
    underWay: UnderWay,
    handled: Promise<ReplyEnvelope>[],
  ): Promise<ReplyEnvelope | undefined> {
    if (underWay.waiting >= WAITING_MAX) return undefined;
    underWay.waiting += 1;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), STORED_WITHIN_MS)));
    try {
      return await releasingSlot(() => Promise.race([firstReplayed(handled), late]));
    } finally {
      clearTimeout(timer);
      underWay.waiting -= 1;
    }
  }
}

/** Undefined once all have ended and none was a stored result. */
async function firstReplayed(handled: Promise<ReplyEnvelope>[]): Promise<ReplyEnvelope | undefined> {
  const replayed = handled.map(async (one) => {
    const reply = await one;
    if (isReplayed(reply)) return reply;
    throw new Error('it took effect just now');
  });
  return Promise.any(replayed).catch(() => undefined);
}

function isReplayed(reply: ReplyEnvelope): boolean {
  return reply.ok && (reply.body as { replayed?: unknown } | null)?.replayed === true;
}

/** The same for repeats only: another input under the same id is refused by the handler. */
function keyOf(subject: string, body: unknown): string | undefined {
  const { command_id, merchant_id, input_hash } = { ...(body as Record<string, unknown> | null) };
  return typeof command_id === 'string' ? JSON.stringify([subject, command_id, merchant_id, input_hash]) : undefined;
}
