import { ErrorCode as NatsErrorCode, NatsError } from 'nats';

/** Before a repeat is sent again that met no instance, or its own first attempt while that is being handled. */
const REPEAT_PAUSE_MS = 50;
const IN_FLIGHT_PAUSE_MS = 250;

export interface Asking {
  /** Sends the call's message, always the same one. */
  ask: (timeoutMs: number) => Promise<unknown>;
  timeoutMs: number;
  /** Only for what changes nothing: it is sent again and again until there is an answer. */
  everyMs?: number | undefined;
  /** False while a message would be dropped: there is no connection. */
  isConnected: () => boolean;
}

/** The outcome of a call is not known: it was sent more than once, and no attempt was answered. */
export class AnswerLost extends Error {}

/**
 * One call, from its first message to its end. It is sent again when its answer may be lost (`askAgain`). The first reply
 * counts; a failure counts only when no other attempt is open.
 */
export class CallUnderWay {
  readonly answer: Promise<unknown>;
  private readonly deadline: number;
  private readonly timers = new Set<NodeJS.Timeout>();
  private attempts = 0;
  private open = 0;
  private end!: { resolve: (reply: unknown) => void; reject: (error: unknown) => void };

  constructor(private readonly asking: Asking) {
    this.deadline = Date.now() + asking.timeoutMs;
    this.answer = new Promise<unknown>((resolve, reject) => (this.end = { resolve, reject })).finally(() => {
      for (const timer of this.timers) clearTimeout(timer);
    });
    this.timers.add(setTimeout(() => this.giveUp(new AnswerLost()), asking.timeoutMs));
    if (asking.everyMs !== undefined) this.timers.add(setInterval(() => this.askAgain(), asking.everyMs));
    this.send();
  }

  /** A repeat has no effect of its own: the instance that handles the call knows it by its id. */
  askAgain(): void {
    if (this.asking.isConnected()) this.send();
  }

  giveUp(error: Error): void {
    this.end.reject(error);
  }

  private send(): void {
    const left = this.deadline - Date.now();
    if (left <= 0) return;
    this.attempts += 1;
    this.open += 1;
    this.asking.ask(left).then(
      (reply) => this.replied(reply),
      (error: unknown) => this.failed(error),
    );
  }

  private replied(reply: unknown): void {
    this.open -= 1;
    const code = (reply as { code?: unknown } | null)?.code;
    // Another instance was asked as well and may still answer.
    if (this.open > 0 && code === 'unavailable') return;
    // Another instance than the one that handles the first attempt: this finds the result once that has ended.
    if (this.attempts > 1 && code === 'idempotency_in_flight' && this.repeatAfter(IN_FLIGHT_PAUSE_MS)) return;
    this.end.resolve(reply);
  }

  private failed(error: unknown): void {
    this.open -= 1;
    const wasSentBefore = this.attempts > 1;
    if (wasSentBefore && isWithoutResponder(error) && this.repeatAfter(REPEAT_PAUSE_MS)) return;
    if (this.open === 0) this.end.reject(wasSentBefore ? new AnswerLost() : error);
  }

  private repeatAfter(pauseMs: number): boolean {
    if (Date.now() + pauseMs >= this.deadline) return false;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.askAgain();
    }, pauseMs);
    this.timers.add(timer);
    return true;
  }
}

export const isWithoutResponder = (error: unknown): boolean =>
  error instanceof NatsError && error.code === (NatsErrorCode.NoResponders as string);
