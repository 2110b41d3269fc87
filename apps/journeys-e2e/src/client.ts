import { assertDocumented } from './documented-answers';

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

/** One HTTP response, read to its end. */
export interface Answer<Data> {
  status: number;
  headers: Headers;
  text: string;
  body: Success<Data> & Partial<Omit<Refused, 'status'>>;
}

export interface Sending {
  idempotencyKey?: string;
  headers?: Record<string, string>;
  /** Sent as it is, in place of a JSON body. */
  raw?: string;
}

/** Longer than any answer may take; an answer that never comes fails the test by its own name. */
const TIMEOUT_MS = 20_000;

/**
 * A merchant's own program: one API key, and requests as its engineer would write them. Whatever comes back must be what
 * the interface document says.
 */
export class Client {
  constructor(
    readonly baseUrl: string,
    readonly apiKey?: string,
  ) {}

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

  async send<Data>(method: string, path: string, body?: unknown, sending: Sending = {}): Promise<Answer<Data>> {
    const text = sending.raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const url = new URL(`${this.baseUrl}${path}`);
    const response = await fetch(url, {
      method,
      headers: {
        ...(this.apiKey !== undefined && { 'x-api-key': this.apiKey }),
        ...(text !== undefined && { 'content-type': 'application/json' }),
        ...(sending.idempotencyKey !== undefined && { 'idempotency-key': sending.idempotencyKey }),
        ...sending.headers,
      },
      body: text,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = answerOf<Data>(response.status, response.headers, await response.text());
    assertDocumented(method, this.pathOf(url), answer);
    return answer;
  }

  /** As the document names it: below the API's root. */
  private pathOf({ pathname }: URL): string {
    const root = new URL(this.baseUrl).pathname;
    return pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : pathname;
  }
}

function answerOf<Data>(status: number, headers: Headers, text: string): Answer<Data> {
  const isJson = headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status, headers, text, body: (isJson ? JSON.parse(text) : {}) as Answer<Data>['body'] };
}

/** The data of a success; anything else fails the test and shows what came instead. */
export async function dataOf<Data>(asked: Promise<Answer<Data>>, status = 200): Promise<Data> {
  const answer = await asked;
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { status: 'success' } });
  return answer.body.data;
}

/** The refusal, which must have this status and code and the envelope of all refusals. */
export async function refusalOf(asked: Promise<Answer<unknown>>, status: number, code: string): Promise<Refused> {
  const answer = await asked;
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      status: 'error',
      code,
      message: expect.stringMatching(/^[A-Z].+\.$/) as unknown,
      ...(code === 'validation_failed' && { errors: expect.any(Array) as unknown }),
      request_id: answer.headers.get('x-request-id'),
    },
  });
  return answer.body as unknown as Refused;
}

/** The fields that a 400 names, each with its code. */
export async function fieldErrorsOf(asked: Promise<Answer<unknown>>): Promise<Record<string, string>> {
  const { errors = [] } = await refusalOf(asked, 400, 'validation_failed');
  for (const error of errors) expect(error.message).not.toBe('');
  return Object.fromEntries(errors.map(({ field, code }) => [field, code]));
}
