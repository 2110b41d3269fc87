/** A caller's side of one request: sent once, its time measured from the first byte asked to the last byte answered. */
import { Answer, MerchantClient, TIMED_OUT, UnansweredRequest } from '../../merchant-client';

export interface Attempt<Data = unknown> {
  /** Epoch milliseconds. */
  beganAt: number;
  ms: number;
  /** Undefined when no complete answer came: refused, reset, or nothing within the caller's own timeout. */
  status: number | undefined;
  /** Of an error: its code; of a broken connection: what broke. */
  code: string | undefined;
  data: Data | undefined;
  /** How long to wait before asking again, where an answer says so. */
  retryAfterMs: number;
}

export interface Asked {
  method: 'GET' | 'POST';
  path: string;
  apiKey: string;
  body?: object;
  idempotencyKey?: string;
}

type Outcome<Data> = Omit<Attempt<Data>, 'beganAt' | 'ms'>;

/** Beyond any deadline of the service: an answer that takes longer has failed it, and the caller gives up. */
const TIMEOUT_MS = 8_000;
/** The code of an attempt that was given up. */
export const NO_ANSWER = TIMED_OUT;
const CONNECTIONS_MAX = 1_000;

export class MeasuredClient {
  private readonly client: MerchantClient;

  constructor(
    baseUrl: string,
    private readonly onAttempt: (attempt: Attempt, asked: Asked) => void,
  ) {
    this.client = new MerchantClient({ baseUrl, timeoutMs: TIMEOUT_MS, connections: CONNECTIONS_MAX });
  }

  async send<Data>(asked: Asked): Promise<Attempt<Data>> {
    const beganAt = Date.now();
    const startedAt = performance.now();
    const outcome = await this.exchange<Data>(asked);
    const attempt = { beganAt, ms: performance.now() - startedAt, ...outcome };
    this.onAttempt(attempt, asked);
    return attempt;
  }

  close(): void {
    this.client.close();
  }

  private async exchange<Data>({ method, path, body, apiKey, idempotencyKey }: Asked): Promise<Outcome<Data>> {
    try {
      return outcomeOf(await this.client.send<Data>(method, path, body, { apiKey, idempotencyKey }));
    } catch (error) {
      if (!(error instanceof UnansweredRequest)) throw error;
      return { status: undefined, code: error.reason, data: undefined, retryAfterMs: 0 };
    }
  }
}

function outcomeOf<Data>(answer: Answer<Data>): Outcome<Data> {
  const told = { status: answer.status, retryAfterMs: Number(answer.header('retry-after') ?? 0) * 1_000 };
  const notJson = { ...told, code: 'not_json', data: undefined };
  if (!answer.isJson) return notJson;
  try {
    const { code, data } = answer.body;
    return { ...told, code, data };
  } catch {
    return notJson;
  }
}
