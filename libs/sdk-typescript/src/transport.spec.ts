/** Calls against a server that does what each test says, over real connections; only the waits are not waited for. */
import { InsufficientFundsError, RateLimitedError, UnavailableError, ValidationFailedError } from './errors.generated';
import {
  StablecoinAbortError,
  StablecoinApiError,
  StablecoinCallError,
  StablecoinConnectionError,
  StablecoinError,
  StablecoinTimeoutError,
  UnexpectedAnswerError,
} from './errors';
import { Resources } from './resources.generated';
import { Stablecoin } from './stablecoin';
import {
  cut,
  cutInTheMiddle,
  page,
  refusal,
  ScriptedServer,
  shortened,
  silence,
  success,
} from './testing/scripted-server';
import { AttemptLog, Transport, TransportOptions } from './transport';

const BANK = { account_number: '0123456789', bank_code: '011', recipient_name: 'Ada Obi' };
const PAYOUT = { currency: 'USDT', amount: '10', ...BANK } as const;
const UNAVAILABLE = refusal(503, 'unavailable', { 'retry-after': '2' });

let server: ScriptedServer;
let logged: AttemptLog[];
let waitedMs: number[];

beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  logged = [];
  waitedMs = [];
});

/** A client for which waiting takes no time, yet passes it. */
function client(options: Partial<TransportOptions> = {}): Resources {
  const defaults = { timeoutMs: 2_000, deadlineMs: 60_000, maxRetries: 4, fetch: globalThis.fetch };
  const own = {
    apiKey: 'sk_test_secret',
    baseUrl: server.baseUrl,
    logger: (entry: AttemptLog) => void logged.push(entry),
  };
  let passedMs = 0;
  const timing = {
    nowMs: () => performance.now() + passedMs,
    random: () => 0.5,
    wait: (ms: number) => {
      waitedMs.push(ms);
      passedMs += ms;
      return Promise.resolve();
    },
  };
  return new Resources(new Transport({ ...defaults, ...own, ...options }, timing));
}

const payOut = (options: Partial<TransportOptions> = {}, own = {}) => client(options).payouts.createToBank(PAYOUT, own);
const keys = () => server.arrived.map(({ headers }) => headers['idempotency-key']);

async function failureOf<Failure>(call: PromiseLike<unknown>): Promise<Failure> {
  try {
    await call;
  } catch (error) {
    return error as Failure;
  }
  throw new Error('It succeeded');
}

describe('A call', () => {
  it('is sent with the key, an id of its own, and what it is given, and hands back the data', async () => {
    server.script(success({ id: 'p-1', a_new_field: { status: 'A_NEW_STATUS' } }));
    const headers = { traceparent: '00-1', 'X-API-Key': 'other' };
    expect(await payOut({}, { headers, requestId: 'order-1' })).toEqual({
      id: 'p-1',
      a_new_field: { status: 'A_NEW_STATUS' },
    });
    const [arrived] = server.arrived;
    expect(arrived).toMatchObject({ method: 'POST', url: '/api/payouts/banks' });
    expect(JSON.parse(String(arrived?.body))).toEqual(PAYOUT);
    expect(arrived?.headers).toMatchObject({
      'x-api-key': 'sk_test_secret',
      'x-request-id': 'order-1',
      traceparent: '00-1',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  it('gives what came beside the data to whom it asks for it', async () => {
    server.script(success({}, {}, { 'x-request-id': 'r-7', 'idempotency-replayed': 'true' }));
    const answer = await payOut().withAnswer();
    expect(answer).toMatchObject({ status: 200, requestId: 'r-7', replayed: true, attempts: 1 });
    server.script(success({}));
    expect((await payOut().withAnswer()).replayed).toBe(false);
  });

  it('opens the envelope in the envelope of a quote', async () => {
    server.script(success({ status: 'success', message: 'Created', data: { id: 'q-1' } }));
    const pair = { from_currency: 'USDT', to_currency: 'NGN', amount: '1' } as const;
    expect(await client().quotes.create(pair)).toEqual({ id: 'q-1' });
  });

  it('fills in a path, and refuses what would be another path', async () => {
    server.script(success({}));
    await client().wallets.get('a/b?c');
    expect(server.arrived[0]?.url).toBe('/api/wallets/a%2Fb%3Fc');
    for (const id of ['', '.', '..', undefined as unknown as string]) {
      expect(await failureOf(client().wallets.get(id))).toBeInstanceOf(TypeError);
    }
    expect(server.arrived).toHaveLength(1);
  });

  it('fails at once with what can’t be sent at all', async () => {
    server.script(success({}));
    // fetch's own TypeError, not the one of Jest's globals.
    expect(await failureOf(payOut({}, { idempotencyKey: 'order-₦1' }))).toMatchObject({ name: 'TypeError' });
    const headers = { traceparent: 'two\nlines' };
    expect(await failureOf(payOut({}, { headers }))).toMatchObject({ name: 'TypeError' });
    expect(server.arrived).toHaveLength(0);
  });

  it('is sent though its caller does not await it', async () => {
    const arrived = new Promise<void>((done) => {
      server.script((response) => {
        success({})(response, undefined as never);
        done();
      });
    });
    void payOut();
    await arrived;
  });
});

describe('A call without a whole answer', () => {
  it.each([
    ['the connection breaks', cut],
    ['the answer breaks off', cutInTheMiddle],
    ['the answer was shortened on its way', shortened],
    ['the service is not available', UNAVAILABLE],
    ['the rate is exceeded', refusal(429, 'rate_limited', { 'retry-after': '1' })],
    ['the first attempt still runs', refusal(409, 'idempotency_in_flight')],
    ['something went wrong in the service', refusal(500, 'internal_error')],
    ['a proxy did not reach the service', page(502)],
  ])('is sent again when %s, with the same key, id and body', async (_, step) => {
    server.script(step, step, success({ id: 'p-1' }));
    const answer = await payOut().withAnswer();
    expect(answer).toMatchObject({ data: { id: 'p-1' }, attempts: 3 });
    const [first, ...others] = server.arrived.map(({ headers, body }) => [
      headers['idempotency-key'],
      headers['x-request-id'],
      String(body),
    ]);
    expect(first?.[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(others).toEqual([first, first]);
  });

  it('is sent again when nothing came in time', async () => {
    server.script(silence, success({}));
    expect(await payOut({ timeoutMs: 100 }).withAnswer()).toMatchObject({ attempts: 2 });
  });

  it('is sent again when it only reads, without a key', async () => {
    server.script(cut, UNAVAILABLE, success({ id: 'w-1' }));
    expect(await client().wallets.get('w-1')).toEqual({ id: 'w-1' });
    expect(keys()).toEqual([undefined, undefined, undefined]);
  });

  it('keeps the key that the caller gave', async () => {
    server.script(cut, success({}));
    await payOut({}, { idempotencyKey: 'order-4711' });
    expect(keys()).toEqual(['order-4711', 'order-4711']);
  });

  it('has a new key for a new call', async () => {
    server.script(success({}));
    await payOut();
    await payOut();
    expect(new Set(keys()).size).toBe(2);
  });

  it('waits as long as the service asks, and a random part of a growing bound', async () => {
    server.script(UNAVAILABLE, UNAVAILABLE, cut, success({}));
    await payOut();
    expect(waitedMs).toEqual([2_000 + 125, 2_000 + 250, 500]);
  });

  it('sends a stream again from its beginning', async () => {
    async function* scan() {
      yield Buffer.from('%PDF-1.4 ');
      await Promise.resolve();
      yield Buffer.from('%%EOF');
    }
    server.script(cut, UNAVAILABLE, success({ document_id: 'd-1' }));
    expect(await client().documents.upload(scan())).toEqual({ document_id: 'd-1' });
    for (const { headers, body } of server.arrived) {
      expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
      expect(String(body)).toMatch(/name="file"[^]*\r\n\r\n%PDF-1\.4 %%EOF\r\n/);
    }
    expect(new Set(keys()).size).toBe(1);
  });
});

describe('A call ends', () => {
  it('with the last error when its retries are used up', async () => {
    server.script(UNAVAILABLE);
    const error = await failureOf<UnavailableError>(payOut({ maxRetries: 2 }, { idempotencyKey: 'order-1' }));
    expect(error).toBeInstanceOf(UnavailableError);
    expect(error).toMatchObject({ attempts: 3, retryAfterSeconds: 2, idempotencyKey: 'order-1', requestId: 'r-1' });
    expect(server.arrived).toHaveLength(3);
  });

  it('before a wait that would go beyond its deadline', async () => {
    server.script(refusal(429, 'rate_limited', { 'retry-after': '30' }));
    const error = await failureOf<RateLimitedError>(payOut({ deadlineMs: 45_000 }));
    expect(error).toBeInstanceOf(RateLimitedError);
    expect([error.attempts, waitedMs.length]).toEqual([2, 1]);
  });

  it('at its deadline, in the middle of an attempt', async () => {
    server.script(silence);
    const error = await failureOf<StablecoinTimeoutError>(payOut({ deadlineMs: 150 }));
    expect(error).toBeInstanceOf(StablecoinTimeoutError);
    expect(error).toMatchObject({ attempts: 1, outcomeUnknown: true });
  });

  it('with a final answer at once', async () => {
    server.script(refusal(422, 'insufficient_funds'));
    const error = await failureOf<InsufficientFundsError>(payOut());
    expect(error).toBeInstanceOf(InsufficientFundsError);
    expect(error).toBeInstanceOf(StablecoinApiError);
    expect(error).toMatchObject({
      name: 'InsufficientFundsError',
      code: 'insufficient_funds',
      status: 422,
      message: 'It is insufficient_funds.',
      outcomeUnknown: false,
      attempts: 1,
    });
  });

  it('with the fields that were refused', async () => {
    const errors = [{ field: 'amount', code: 'invalid_amount', message: 'must be an amount' }];
    server.script(refusal(400, 'validation_failed', {}, { errors }));
    const error = await failureOf<ValidationFailedError>(payOut());
    expect(error).toBeInstanceOf(ValidationFailedError);
    expect(error.errors).toEqual(errors);
    expect(error.message).toBe('It is validation_failed. (amount must be an amount)');
  });

  it('with the code as it came, when it is newer than this package', async () => {
    server.script(refusal(422, 'toString'));
    const error = await failureOf<StablecoinApiError>(payOut());
    expect(error.constructor).toBe(StablecoinApiError);
    expect(error.code).toBe('toString');
  });

  it('with what is not the service’s answer, without following a redirect', async () => {
    const elsewhere = { location: `${server.baseUrl}/elsewhere` };
    for (const [step, status] of [
      [page(307, elsewhere), 307],
      [page(200), 200],
      [page(404), 404],
    ] as const) {
      server.script(step);
      const error = await failureOf<UnexpectedAnswerError>(payOut());
      expect(error).toBeInstanceOf(UnexpectedAnswerError);
      expect([error.status, server.arrived.length]).toEqual([status, 1]);
    }
  });

  it('when the caller says so: before it is sent, in the middle, while it waits', async () => {
    const early = await failureOf<StablecoinAbortError>(payOut({}, { signal: AbortSignal.abort('shutdown') }));
    expect(early).toMatchObject({
      name: 'StablecoinAbortError',
      cause: 'shutdown',
      attempts: 0,
      outcomeUnknown: false,
    });

    const middle = new AbortController();
    server.script(() => middle.abort());
    const late = await failureOf<StablecoinAbortError>(payOut({}, { signal: middle.signal }));
    expect(late).toMatchObject({ name: 'StablecoinAbortError', attempts: 1, outcomeUnknown: true });

    const waiting = new AbortController();
    server.script(UNAVAILABLE);
    const whole = new Stablecoin({
      apiKey: 'k',
      baseUrl: server.baseUrl,
      logger: () => setTimeout(() => waiting.abort(), 20),
    });
    const asked = failureOf<StablecoinAbortError>(whole.wallets.get('w-1', { signal: waiting.signal }));
    expect(await asked).toMatchObject({ name: 'StablecoinAbortError', attempts: 1, outcomeUnknown: false });
  });
});

describe('Whether it may have taken effect', () => {
  const unknownAfter = async (...steps: Parameters<ScriptedServer['script']>) => {
    server.script(...steps);
    const error = await failureOf<StablecoinCallError>(payOut({ maxRetries: steps.length - 1 }));
    expect(error.idempotencyKey).toBe(keys()[0]);
    return error.outcomeUnknown;
  };

  it('is not known when the connection broke, and known when the refusal says so', async () => {
    expect(await unknownAfter(cut)).toBe(true);
    expect(await unknownAfter(refusal(503, 'unavailable', { 'x-outcome': 'none' }))).toBe(false);
    expect(await unknownAfter(refusal(503, 'unavailable'))).toBe(true);
    expect(await unknownAfter(refusal(429, 'rate_limited'))).toBe(false);
  });

  it('counts every attempt', async () => {
    expect(await unknownAfter(cut, refusal(503, 'unavailable', { 'x-outcome': 'none' }))).toBe(true);
    expect(await unknownAfter(cut, refusal(429, 'rate_limited'))).toBe(true);
    expect(await unknownAfter(cut, refusal(422, 'insufficient_funds'))).toBe(false);
  });

  it('is never a question where nothing was sent, or of a read', async () => {
    const gone = await ScriptedServer.start();
    const nowhere = { baseUrl: gone.baseUrl, maxRetries: 1 };
    await gone.stop();
    const error = await failureOf<StablecoinConnectionError>(payOut(nowhere));
    expect(error).toBeInstanceOf(StablecoinConnectionError);
    expect(error).toMatchObject({ outcomeUnknown: false, attempts: 2 });
    expect(error.message).toContain('ECONNREFUSED');
    server.script(cut);
    expect(await failureOf(client().wallets.get('w-1'))).toMatchObject({ outcomeUnknown: false });
  });
});

describe('A list', () => {
  const pages = (total: number, idsOf: (page: number) => string[]) =>
    server.script((response, { url }) => {
      const query = new URL(url, server.baseUrl).searchParams;
      const [number, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 10)];
      const pagination = { total: total * limit, page: number, limit, totalPages: total };
      success(
        idsOf(number).map((id) => ({ id })),
        { pagination },
      )(response, undefined as never);
    });
  const idsOf = async (list: AsyncIterable<{ id: string }>) => {
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    return ids;
  };

  it('is one page to await, which leads to the next', async () => {
    pages(2, (number) => [`t-${number}`]);
    const first = await client().transactions.list({ status: 'PENDING', customer_id: undefined });
    expect(first).toMatchObject({ data: [{ id: 't-1' }], pagination: { page: 1, totalPages: 2 } });
    const second = await first.nextPage();
    expect(second?.data).toEqual([{ id: 't-2' }]);
    expect(second?.nextPage()).toBeUndefined();
    expect(server.arrived.map(({ url }) => url)).toEqual([
      '/api/transactions?status=PENDING',
      '/api/transactions?status=PENDING&page=2',
    ]);
  });

  it('is all items to walk over, from the page asked for, in the largest pages', async () => {
    pages(3, (number) => [`t-${number}a`, `t-${number}b`]);
    expect(await idsOf(client().transactions.list())).toEqual(['t-1a', 't-1b', 't-2a', 't-2b', 't-3a', 't-3b']);
    expect(server.arrived.map(({ url }) => url)).toEqual([
      '/api/transactions?limit=100',
      '/api/transactions?limit=100&page=2',
      '/api/transactions?limit=100&page=3',
    ]);
    expect(await idsOf(client().transactions.list({ page: 3, limit: 2 }))).toEqual(['t-3a', 't-3b']);
  });

  it('gives an item once that moved to a later page meanwhile', async () => {
    pages(2, (number) => (number === 1 ? ['t-3', 't-2'] : ['t-2', 't-1']));
    expect(await idsOf(client().transactions.list())).toEqual(['t-3', 't-2', 't-1']);
  });

  it('is empty without a page, and sends nothing before it is asked', async () => {
    pages(0, () => []);
    const list = client().transactions.list();
    await new Promise((turn) => setTimeout(turn, 20));
    expect(server.arrived).toHaveLength(0);
    expect(await idsOf(list)).toEqual([]);
  });
});

describe('A log', () => {
  it('has a record of each attempt, without key, ids or body', async () => {
    const pair = { from_currency: 'USDT', to_currency: 'NGN', amount: '12.34' } as const;
    server.script(cut, refusal(422, 'insufficient_funds'));
    await failureOf(client().quotes.refresh('0190c6f0', pair, { requestId: 'order-1' }));
    expect(logged).toEqual([
      expect.objectContaining({ attempt: 1, code: 'broken', requestId: 'order-1', path: '/swaps/{swapId}/refresh' }),
      expect.objectContaining({
        attempt: 2,
        code: 'insufficient_funds',
        status: 422,
        method: 'POST',
        requestId: 'r-1',
      }),
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/sk_test_secret|0190c6f0|12\.34/);
  });

  it('does not decide how a call ends', async () => {
    server.script(success({ id: 'p-1' }));
    const logger = () => {
      throw new Error('The disk is full');
    };
    expect(await payOut({ logger })).toEqual({ id: 'p-1' });
  });
});

describe('A client', () => {
  const environment = { ...process.env };
  afterEach(() => {
    process.env = { ...environment };
  });

  it('takes key and address from the environment', async () => {
    server.script(success([]));
    process.env['STABLECOIN_API_KEY'] = 'sk_of_the_environment';
    process.env['STABLECOIN_BASE_URL'] = `${server.baseUrl}/`;
    await new Stablecoin().assets.list();
    expect(server.arrived[0]).toMatchObject({
      url: '/api/asset-codes',
      headers: { 'x-api-key': 'sk_of_the_environment' },
    });
  });

  it('is none without a key, or with an address that is none', () => {
    delete process.env['STABLECOIN_API_KEY'];
    expect(() => new Stablecoin()).toThrow(StablecoinError);
    expect(() => new Stablecoin({ apiKey: 'k', baseUrl: 'stablecoin.example/api' })).toThrow(StablecoinError);
  });

  it('never shows its key when it is printed', async () => {
    const { inspect } = await import('node:util');
    const own = new Stablecoin({ apiKey: 'sk_test_secret', baseUrl: server.baseUrl });
    expect(inspect(own, { depth: 10, showHidden: true })).not.toContain('sk_test_secret');
    expect(JSON.stringify(own)).not.toContain('sk_test_secret');
  });
});
