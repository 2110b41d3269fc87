import { Logger } from '@nestjs/common';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { OpenSpan, useTracer } from '@stablecoin/telemetry/traces/tracing';
import { LoggingOptions, ServiceLogger } from './service-logger';

const BUS_KEY = 'q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80=';
const DATABASE_URL = 'postgresql://customer_app:p%40ssw0rd%21@127.0.0.1:5432/customer';

interface Line {
  level: string;
  message: string;
  error?: { type?: string; code?: string; message: string; stack?: string; cause?: { message: string } };
  [field: string]: unknown;
}

function logger(options: Partial<LoggingOptions> = {}) {
  const lines: string[] = [];
  const secrets = [BUS_KEY, DATABASE_URL];
  const write = (line: string) => void lines.push(line);
  const made = new ServiceLogger({ service: 'payout', level: 'verbose', format: 'json', secrets, write, ...options });
  const last = () => JSON.parse(lines.at(-1) ?? '{}') as Line;
  return { logger: made, lines, last };
}

it('writes one line of JSON, with the service, the context and what else was given', () => {
  const { logger: log, lines, last } = logger();
  log.log({ msg: 'a shard was taken', shard: 3 }, 'LedgerShards');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{"level":"info","time":"2\d{3}-.*Z".*\}\n$/);
  const fields = {
    service: 'payout',
    pid: process.pid,
    context: 'LedgerShards',
    message: 'a shard was taken',
    shard: 3,
  };
  expect(last()).toMatchObject(fields);
});

it('names the request that is under way, its merchant and its command', () => {
  const { logger: log, last } = logger();
  const request = { requestId: 'r1', deadline: 0, merchantId: 'm1', commandId: 'c1' };
  withRequestContext(request, () => log.warn('slow'));
  expect(last()).toMatchObject({ level: 'warn', request_id: 'r1', merchant_id: 'm1', command_id: 'c1' });
  log.warn('slow');
  expect(last()).not.toHaveProperty('request_id');
});

it('names the span that is current, and none where there is none', () => {
  const { logger: log, last } = logger();
  const ids = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) };
  const span = { traceparent: `00-${ids.trace_id}-${ids.span_id}-01` } as OpenSpan;
  useTracer({ begin: () => span, current: () => span, outside: (work) => work() });
  try {
    withRequestContext({ requestId: 'r1', deadline: 0 }, () => log.warn('slow'));
    expect(last()).toMatchObject({ request_id: 'r1', ...ids });
    log.warn('of a loop');
    expect(last()).toMatchObject(ids);
    useTracer({ begin: () => span, current: () => undefined, outside: (work) => work() });
    log.warn('slow');
    expect(last()).not.toHaveProperty('trace_id');
  } finally {
    useTracer(undefined);
  }
  log.warn('slow');
  expect(last()).not.toHaveProperty('span_id');
});

it("keeps an error's type, code, message, stack and cause, however it is handed over", () => {
  const { logger: log, last } = logger();
  const error = Object.assign(new TypeError('outer', { cause: new Error('inner') }), { code: 'E1' });
  const expected = { type: 'TypeError', code: 'E1', message: 'outer', cause: { message: 'inner' } };
  for (const given of [() => log.error({ msg: 'failed', err: error }), () => log.error('failed', error, 'Somewhere')]) {
    given();
    expect(last()).toMatchObject({ level: 'error', message: 'failed', error: expected });
    expect(last().error?.stack).toContain('service-logger.spec');
  }
  log.error('failed', error.stack, 'Somewhere');
  expect(last()).toMatchObject({
    context: 'Somewhere',
    error: { message: expect.stringContaining('TypeError: outer') },
  });
});

it('leaves out lines below its level, and those of Nest itself', () => {
  const { logger: log, lines } = logger({ level: 'log' });
  log.debug('detail');
  log.log('InstanceLoader dependencies initialized', 'InstanceLoader');
  expect(lines).toEqual([]);
  log.log('started', 'Process');
  expect(lines).toHaveLength(1);
});

it("is what Nest's loggers write to", () => {
  const { logger: log, last } = logger();
  Logger.overrideLogger(log);
  new Logger('Relay').warn('facts wait');
  expect(last()).toMatchObject({ level: 'warn', context: 'Relay', message: 'facts wait' });
});

it('is readable for a person when asked for that', () => {
  const { logger: log, lines } = logger({ format: 'text' });
  log.error({ msg: 'failed', shard: 3, err: new Error('because') }, 'Relay');
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}ERROR {2}Relay: failed {2}shard=3\n {4}Error: because\n {8}at /);
});

describe('what must not be logged is hidden', () => {
  it.each([
    ['a key of this process', BUS_KEY, BUS_KEY],
    ['a connection string', `connecting to ${DATABASE_URL}`, 'p%40ssw0rd%21'],
    ['its password, decoded', 'password p@ssw0rd! is wrong', 'p@ssw0rd!'],
    ['a connection string of another program', 'no answer from nats://user:hunter2@host:4222', 'hunter2'],
    ['an API key', 'the key sk_live_4eC39HqLyjWDarjtT1zdp7dc is unknown', '4eC39HqLyjWDarjtT1zdp7dc'],
    ['an e-mail address', 'no such user: ada.obi+1@mail.example.com', 'ada.obi'],
    ['a phone number', 'no route to +2348012345678', '2348012345678'],
    ['an account number', 'nothing is known of account 0123456789.', '0123456789'],
    ['what Postgres quotes of a key', 'Key (name, city)=(Ada Obi, Lagos) already exists.', 'Ada Obi'],
    ['what Postgres quotes of a row', 'Failing row contains (1, Ada Obi, Lagos).', 'Ada Obi'],
    ['what Postgres quotes of a value', 'invalid input syntax for type uuid: "Ada Obi"', 'Ada Obi'],
    ['what is no JSON', `Unexpected token 'A', "Ada Obi" is not valid JSON`, 'Ada Obi'],
    ['bytes of a document', `cannot read ${'JVBERi0xLjQK'.repeat(20)}`, 'JVBERi0xLjQK'],
  ])('%s', (_, text, canary) => {
    const { logger: log, lines } = logger();
    log.warn(text);
    log.error({ msg: 'failed', err: new Error('outer', { cause: new Error(text) }) });
    log.error(new Error(text));
    log.error('failed', new Error(text).stack, 'Somewhere');
    log.error({ msg: 'parked', reason: `because of: ${text}` });
    expect(lines).toHaveLength(5);
    expect(lines.join('')).not.toContain(canary);
    expect(lines.join('').match(/\[hidden\]/g)?.length).toBeGreaterThanOrEqual(5);
  });

  it('but no id: they are what a line is found by', () => {
    const { logger: log, last } = logger();
    const ids = {
      request_id: '202611211234',
      transaction: '1b671a64-40d5-491e-99b0-123456789012',
      position: 1234567890,
    };
    log.log({ msg: 'moved on 2026-11-21T10:00:00.000Z after 12345678 events', ...ids });
    expect(last()).toMatchObject({ message: 'moved on 2026-11-21T10:00:00.000Z after 12345678 events', ...ids });
  });
});
