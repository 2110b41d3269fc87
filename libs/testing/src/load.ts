/**
 * Merchants at work: several callers, each of which takes its turns over and over, at a steady rate or as fast as it is
 * answered. Every request is counted; one that is refused or breaks is a failure, kept with what was said.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Callers } from './callers';
import { Answer, Ask, RefusedRequest, Sender, UnansweredRequest } from './merchant-client';

const UNAVAILABLE = 503;
const TEXT_SHOWN_MAX = 300;

export interface LoadFigures {
  requests: number;
  /** One line for each. */
  failures: string[];
  /** Requests that were sent once more. */
  repeated: number;
  slowestMs: number;
}

/** One thing that a merchant does, in as many requests as it takes. */
export type Turn = (ask: Ask) => Promise<unknown>;

export interface LoadPlan {
  turns: readonly Turn[];
  callers: number;
  /** A caller begins a turn every so often, or when the one before is over if that is later. */
  everyMs?: number;
}

const noFigures = (): LoadFigures => ({ requests: 0, failures: [], repeated: 0, slowestMs: 0 });

export class Load {
  /** Of the requests that began since `beginCount`. */
  figures = noFigures();
  /** A request that began before this is sent once more, with its key, when it is answered with 503; by the clock. */
  repeatsUntil = -Infinity;
  private readonly callers = new Callers();

  constructor(private readonly client: Sender) {}

  /** As the client's, counted. */
  readonly ask: Ask = async <Data>(method: string, path: string, body?: object): Promise<Answer<Data>> => {
    const { figures } = this;
    const askedAt = Date.now();
    figures.requests += 1;
    try {
      const answer = await this.answerTo<Data>(method, path, body, { figures, askedAt });
      if (answer.status >= 300)
        figures.failures.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, TEXT_SHOWN_MAX)}`);
      return answer;
    } catch (error) {
      figures.failures.push(`${method} ${path}: ${reasonOf(error)}`);
      throw error;
    } finally {
      figures.slowestMs = Math.max(figures.slowestMs, Date.now() - askedAt);
    }
  };

  /** From now on requests count anew. @returns the figures of those from now on */
  beginCount(): LoadFigures {
    this.figures = noFigures();
    return this.figures;
  }

  start({ turns, callers, everyMs = 0 }: LoadPlan): void {
    this.callers.start(callers, async (number) => {
      const begunAt = Date.now();
      await turns[number % turns.length]?.(this.ask).catch((error: unknown) => this.note(error));
      await delay(Math.max(0, begunAt + everyMs - Date.now()));
    });
  }

  stop(): Promise<void> {
    return this.callers.stop();
  }

  private async answerTo<Data>(
    method: string,
    path: string,
    body: object | undefined,
    { figures, askedAt }: { figures: LoadFigures; askedAt: number },
  ): Promise<Answer<Data>> {
    const sending = { idempotencyKey: randomUUID() };
    const answer = await this.client.send<Data>(method, path, body, sending);
    if (answer.status !== UNAVAILABLE || askedAt > this.repeatsUntil) return answer;
    figures.repeated += 1;
    return this.client.send<Data>(method, path, body, sending);
  }

  /** What was refused or not answered is counted already. */
  private note(error: unknown): void {
    if (error instanceof RefusedRequest || error instanceof UnansweredRequest) return;
    this.figures.failures.push(`a turn ended with: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof UnansweredRequest) return error.reason;
  return error instanceof Error ? error.message : String(error);
}
