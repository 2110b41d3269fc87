/**
 * A merchant's program, as far as HTTP goes: one API key, and requests as its engineer would write them. Journeys, trials and
 * benchmarks all speak to the service through this client.
 *
 * A request is sent once and ends with an `Answer`, whatever its status, or with `UnansweredRequest`: the connection broke, or
 * nothing came within the client's timeout. Asking again is the caller's decision.
 */
import { randomUUID } from 'node:crypto';
import { Agent, ClientRequest, globalAgent, IncomingMessage, request } from 'node:http';
import { performance } from 'node:perf_hooks';

/** Longer than any answer may take. */
const TIMEOUT_MS = 20_000;
const TEXT_SHOWN_MAX = 300;
/** The reason of a request that was given up at its timeout. */
export const TIMED_OUT = 'no answer';

/** What a success is wrapped in. */
export interface Success<Data> {
  status: 'success';
  data: Data;
  message?: string;
  pagination?: Record<string, unknown>;
}

/** What a refusal says. */
export interface Refused {
  status: 'error';
  code: string;
  message: string;
  errors?: { field: string; code: string; message: string }[];
  request_id: string;
}

export type AnswerBody<Data> = Success<Data> & Partial<Omit<Refused, 'status'>>;

/** What a request went over, in the time of `performance.now()`. */
export interface Connection {
  /** When the request was given one. */
  givenAt: number;
  /** When it could be written to; later than `givenAt` where it had to be opened first. */
  openAt: number;
  isNew: boolean;
}

/** One HTTP response, read to its end. Headers and body are parsed when they are asked for: a load generator needs few of them. */
export class Answer<Data> {
  private parsedHeaders: Headers | undefined;
  private parsedBody: AnswerBody<Data> | undefined;

  /** @param request its method and path, for messages @param rawHeaders names and values in turns */
  constructor(
    readonly request: string,
    readonly status: number,
    readonly text: string,
    private readonly rawHeaders: readonly string[] = [],
    readonly connection: Connection = { givenAt: 0, openAt: 0, isNew: false },
  ) {}

  get headers(): Headers {
    this.parsedHeaders ??= headersOf(this.rawHeaders);
    return this.parsedHeaders;
  }

  /** One header, without parsing all of them: for load generators. */
  header(name: string): string | undefined {
    const at = this.rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
    return at === -1 ? undefined : this.rawHeaders[at + 1];
  }

  /** Whether the answer says that it is JSON. */
  get isJson(): boolean {
    return this.header('content-type')?.startsWith('application/json') === true && this.text !== '';
  }

  /** Empty unless it is JSON. @throws SyntaxError when it says that it is and isn't */
  get body(): AnswerBody<Data> {
    this.parsedBody ??= (this.isJson ? JSON.parse(this.text) : {}) as AnswerBody<Data>;
    return this.parsedBody;
  }
}

/** No complete answer came: the request may have taken effect or not. */
export class UnansweredRequest extends Error {
  override readonly name = 'UnansweredRequest';

  /** @param reason the code of what broke, or TIMED_OUT */
  constructor(
    request: string,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${request}: ${reason}`, options);
  }
}

/** Thrown where a success is needed: the answer was none. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';

  constructor({ request, status, text }: Answer<unknown>) {
    super(`${request} was answered ${status}: ${text.slice(0, TEXT_SHOWN_MAX)}`);
  }
}

export interface ClientOptions {
  /** Of the API, such as `http://127.0.0.1:3000/api`; a function is asked before each request. */
  baseUrl: string | (() => string);
  apiKey?: string;
  timeoutMs?: number;
  /** Whether a POST that is given no Idempotency-Key gets a new one. */
  drawsIdempotencyKeys?: boolean;
  /** At most so many, of its own, kept open until `close`. Without it the client shares the process's connections. */
  connections?: number;
  /** The address that its own connections come from; any of the machine's by default. */
  localAddress?: string;
}

/** What one request has beside its body. */
export interface Sending {
  idempotencyKey?: string;
  /** Another key than the client's. */
  apiKey?: string;
  headers?: Record<string, string>;
  /** Sent as it is, in place of a JSON body. */
  raw?: string | Buffer;
}

/** One request: what a client, a counted load and a test's double have in common. */
export interface Sender {
  send<Data>(method: string, path: string, body?: unknown, sending?: Sending): Promise<Answer<Data>>;
}

/** A request as journeys and turns of a load make it. */
export type Ask = <Data>(method: string, path: string, body?: object) => Promise<Answer<Data>>;

export class MerchantClient implements Sender {
  readonly apiKey: string | undefined;
  private readonly origin: string | (() => string);
  private readonly timeoutMs: number;
  private readonly drawsIdempotencyKeys: boolean;
  private readonly ownAgent: Agent | undefined;

  constructor(options: ClientOptions) {
    const {
      baseUrl,
      apiKey,
      timeoutMs = TIMEOUT_MS,
      drawsIdempotencyKeys = false,
      connections,
      localAddress,
    } = options;
    this.origin = baseUrl;
    this.apiKey = apiKey;
    this.timeoutMs = timeoutMs;
    this.drawsIdempotencyKeys = drawsIdempotencyKeys;
    if (connections === undefined) return;
    const bounds = { maxSockets: connections, maxFreeSockets: connections };
    this.ownAgent = new Agent({ keepAlive: true, ...bounds, ...(localAddress !== undefined && { localAddress }) });
  }

  get baseUrl(): string {
    return typeof this.origin === 'string' ? this.origin : this.origin();
  }

  readonly ask: Ask = (method, path, body) => this.send(method, path, body);

  get<Data>(path: string, sending?: Sending): Promise<Answer<Data>> {
    return this.send('GET', path, undefined, sending);
  }

  post<Data>(path: string, body?: unknown, sending?: Sending): Promise<Answer<Data>> {
    return this.send('POST', path, body, sending);
  }

  put<Data>(path: string, body?: unknown, sending?: Sending): Promise<Answer<Data>> {
    return this.send('PUT', path, body, sending);
  }

  delete<Data>(path: string, body?: unknown, sending?: Sending): Promise<Answer<Data>> {
    return this.send('DELETE', path, body, sending);
  }

  /** @throws UnansweredRequest */
  async send<Data>(method: string, path: string, body?: unknown, sending: Sending = {}): Promise<Answer<Data>> {
    const text = sending.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers = { ...this.headersFor(method, text, sending), ...sending.headers };
    const target = new URL(`${this.baseUrl}${path}`);
    const sent = request(target, { method, headers, agent: this.ownAgent ?? globalAgent });
    return answerTo(sent, text, { name: `${method} ${path}`, timeoutMs: this.timeoutMs });
  }

  /** Ends the client's own connections. */
  close(): void {
    this.ownAgent?.destroy();
  }

  private headersFor(
    method: string,
    text: string | Buffer | undefined,
    sending: Sending,
  ): Record<string, string | number> {
    const apiKey = sending.apiKey ?? this.apiKey;
    const drawn = this.drawsIdempotencyKeys && method === 'POST' ? randomUUID() : undefined;
    const idempotencyKey = sending.idempotencyKey ?? drawn;
    return {
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
  }
}

/** A success, whose body is not looked at. @throws RefusedRequest */
export async function successOf<Data>(answered: Promise<Answer<Data>>): Promise<Answer<Data>> {
  const answer = await answered;
  if (answer.status >= 300) throw new RefusedRequest(answer);
  return answer;
}

/** The data of a success. @throws RefusedRequest */
export async function dataOf<Data>(answered: Promise<Answer<Data>>): Promise<Data> {
  return (await successOf(answered)).body.data;
}

function answerTo<Data>(
  sent: ClientRequest,
  text: string | Buffer | undefined,
  { name, timeoutMs }: { name: string; timeoutMs: number },
): Promise<Answer<Data>> {
  const connection = watchConnection(sent);
  return new Promise((answered, failed) => {
    const fail = (error: NodeJS.ErrnoException) => {
      failed(new UnansweredRequest(name, error.code ?? error.message, { cause: error }));
    };
    const timer = setTimeout(() => sent.destroy(new Error(TIMED_OUT)), timeoutMs);
    sent.on('close', () => clearTimeout(timer));
    let response: IncomingMessage | undefined;
    // A server may answer before it has read the whole request, and close: then what it answered counts.
    sent.on('error', (error) => response ?? fail(error));
    sent.on('response', (came) => {
      response = came;
      const parts: Buffer[] = [];
      came.on('data', (part: Buffer) => parts.push(part));
      came.on('error', fail);
      came.on('end', () => {
        const whole = Buffer.concat(parts).toString('utf8');
        answered(new Answer<Data>(name, came.statusCode ?? 0, whole, came.rawHeaders, connection));
      });
    });
    sent.end(text);
  });
}

function watchConnection(sent: ClientRequest): Connection {
  const connection = { givenAt: 0, openAt: 0, isNew: false };
  sent.once('socket', (socket) => {
    connection.givenAt = performance.now();
    connection.openAt = connection.givenAt;
    connection.isNew = socket.connecting;
    if (socket.connecting) socket.once('connect', () => (connection.openAt = performance.now()));
  });
  return connection;
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let index = 0; index + 1 < raw.length; index += 2) headers.append(raw[index] ?? '', raw[index + 1] ?? '');
  return headers;
}
