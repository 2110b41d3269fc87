import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { AddressInfo, connect, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { makeCheckpoint } from '@stablecoin/contracts/wallet/make-checkpoint';
import { ChainVerifier } from '@stablecoin/event-chain/verify-chain';
import { signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { EMPTY_ROOT } from '@stablecoin/event-proofs/merkle-tree';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { startOwnNats } from '@stablecoin/testing/nats-server';
import { AuditedDatabase, auditedDatabase } from './testing/audited-database';
import { DrivenLog } from '@stablecoin/ledger-log/testing/driven-log';
import { signLiabilitiesOf } from './testing/signed-liabilities';
import { verify } from './verify/verify';
import { createAuditor } from './auditor';

let database: AuditedDatabase;

beforeAll(async () => {
  database = await auditedDatabase();
});
afterAll(() => database.drop());

const logOf = (shard: number) => database.logs[shard] as DrivenLog;

/** Runs the command line like a shell. */
async function audit(args: string, env: NodeJS.ProcessEnv = { AUDIT_DATABASE_URL: database.auditorUrl }) {
  const [stdout, stderr] = [new PassThrough({ highWaterMark: 1 << 24 }), new PassThrough()];
  const code = await createAuditor(env, stdout, stderr).run(args.split(' ').filter(Boolean));
  const text = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
  return { code, out: text(stdout), err: text(stderr) };
}

const answer = async (args: string) => JSON.parse((await audit(`${args} --json`)).out) as Record<string, unknown>;

const walletOf = (log: DrivenLog, currency: string) => {
  const wallet = [...log.state.wallets.values()].find((one) => one.currency === currency && one.customer_id === null);
  if (!wallet) throw new Error(`no wallet of ${currency}`);
  return wallet;
};

describe('audit verify and replay', () => {
  it('print one JSON object for machines, text for people', async () => {
    expect(await answer('verify')).toMatchObject({ ok: true, first_fault: null, shards: [{ shard: 0 }, { shard: 1 }] });
    expect(await answer('replay')).toMatchObject({ ok: true, schema: null });
    const text = expect.stringMatching(/^ {4}shard 1[^]*Intact: \d+ events/) as unknown;
    expect(await audit('verify --shard 1')).toMatchObject({ code: 0, err: '', out: text });
  });

  it('end with 1 and the place of a finding', async () => {
    await database.owner.$executeRaw`UPDATE ledger_events SET body = body || ' ' WHERE shard = 1 AND position = 3`;
    const found = { json: await audit('verify --json'), text: await audit('verify'), replay: await audit('replay') };
    await database.restore();
    expect(found.json.code).toBe(1);
    expect(JSON.parse(found.json.out)).toMatchObject({ ok: false, first_fault: { shard: 1, position: 3 } });
    expect(found.text).toMatchObject({
      code: 1,
      out: expect.stringMatching(/!! {2}shard 1 {2}position 3 [^]*NOT intact/) as unknown,
    });
    expect(found.replay).toMatchObject({
      code: 1,
      out: expect.stringMatching(/shard 1 can't be replayed beyond position 3/) as unknown,
    });
  });
});

describe('audit verify --json, for what shows it', () => {
  it('has no finding of what is intact', async () => {
    expect(await answer('verify')).toMatchObject({ ok: true, findings: [], what_to_do: [] });
  });

  it('has each finding as a sentence, and what to do', async () => {
    await database.owner.$executeRaw`UPDATE transactions SET fee = fee + 1 WHERE shard = 0`;
    await database.owner.$executeRaw`UPDATE ledger_events SET body = body || ' ' WHERE shard = 1 AND position = 3`;
    const { findings, what_to_do } = await answer('verify');
    await database.restore();
    expect(findings).toEqual([
      expect.stringMatching(/^shard 1 position 3: /),
      expect.stringMatching(/^shard 0: [-0-9a-f]{36}: holds/),
      expect.stringMatching(/^shard 0: payout-clearing:USD: holds/),
      expect.stringMatching(/^transactions: 0 missing, 0 surplus, \d+ differing: differing .* in fee/),
    ]);
    expect(what_to_do).toEqual([expect.stringMatching(/^The log of shard 1 can be trusted up to position 2/)]);
  });
});

describe('audit verify --progress json', () => {
  interface Line {
    phase: string;
    done: number;
    total: number;
  }

  it('has a first and a last line on stderr, and the report on stdout', async () => {
    const { out, err } = await audit('verify --json --progress json');
    const lines = err.trim().split('\n');
    const [first, last] = [lines[0], lines.at(-1)].map((line) => JSON.parse(line ?? '') as Line);
    const { events } = JSON.parse(out) as { events: number };
    expect(first).toEqual({ phase: 'starting', done: 0, total: 0 });
    expect(last).toEqual({ phase: 'liabilities', done: events, total: events });
  });

  it('has its last line also where no database answers', async () => {
    const nowhere = { AUDIT_DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/ledger' };
    const { code, err } = await audit('verify --json --progress json', nowhere);
    expect(code).toBe(2);
    const [first, last, sentence] = err.trim().split('\n');
    expect(JSON.parse(last ?? '')).toMatchObject({ done: 0, total: 0 });
    expect(first).toContain('starting');
    expect(sentence).toMatch(/^No answer from 127\.0\.0\.1:1/);
  });
});

it('verify goes through its phases in order', async () => {
  const phases: string[] = [];
  await database.audit((ledger) => verify(ledger, { onPhase: (phase) => phases.push(phase) }));
  expect(phases).toEqual(['preparing', 'log', 'checkpoints', 'schema', 'indexes', 'tables', 'liabilities']);
});

describe('what was kept elsewhere, given to audit verify', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kept-'));
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is compared with the shard that it is of, and refused with another one', async () => {
    const note = (await latestCheckpoint(database.owner, 0))?.note ?? '';
    const file = fileOf('checkpoint', note);
    expect(await audit(`verify --checkpoint ${file}`)).toMatchObject({ code: 0 });
    expect(await audit(`verify --shard 0 --checkpoint ${file}`)).toMatchObject({ code: 0 });
    expect(await audit(`verify --shard 1 --checkpoint ${file}`)).toEqual({
      code: 2,
      out: '',
      err: "The checkpoint of ledger.test/shard/0 can't be compared with shard 1 alone: give --shard 0, or no --shard.\n",
    });
  });

  it('is refused where it is of no shard', async () => {
    const signer = new NoteSigner('log.elsewhere.test', Buffer.alloc(32, 6));
    const note = signCheckpoint({ size: 0, root: EMPTY_ROOT, time: '2026-11-21T12:00:00.000Z' }, signer);
    expect(await audit(`verify --checkpoint ${fileOf('elsewhere', note)}`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('a checkpoint of log.elsewhere.test, which is no shard of a ledger') as unknown,
    });
  });

  it('is refused as a statement of all shards, with one of them', async () => {
    const file = fileOf('statement', await signLiabilitiesOf(database.owner, [0, 1]));
    const found = {
      all: await audit(`verify --statement ${file}`),
      one: await audit(`verify --shard 1 --statement ${file}`),
    };
    await database.restore();
    expect(found.all).toMatchObject({ code: 0 });
    expect(found.one).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^A statement of liabilities is of all/) as unknown,
    });
  });
});

describe('audit verify, given what is in no log', () => {
  const env = (settings: NodeJS.ProcessEnv) => ({ AUDIT_DATABASE_URL: database.auditorUrl, ...settings });

  it('judges prices of swaps by the settings that bound them', async () => {
    const since = 'verify --swap-prices-since 2026-11-21T00:00:00Z';
    expect((await audit(since)).out).toContain('2 swaps at prices within what bounds them');
    const found = await audit(since, env({ SWAP_BOOK_BAND: '100' }));
    expect(found.code).toBe(1);
    expect(found.out).toMatch(
      /!! shard 0 position \d+: the price of USD\/USDC, 0.925, is beyond what bounds it: the operator's/,
    );
    expect(found.out.match(/^What to do: .*$/gm)).toHaveLength(2);
    expect((await audit('verify --swap-prices-since 2026-11-22T00:00:00Z', env({ SWAP_BOOK_BAND: '100' }))).code).toBe(
      0,
    );
    expect((await audit('verify')).out).toContain('prices of swaps were not judged');
  });

  it('finds a shard less than the ledger has', async () => {
    const found = expect.objectContaining({
      code: 1,
      out: expect.stringContaining('the ledger has 3') as unknown,
    }) as unknown;
    expect(await audit('verify --shards 3')).toEqual(found);
    expect(await audit('verify', env({ LEDGER_SHARDS: '3' }))).toEqual(found);
    expect(await audit('verify --shards 2', env({ LEDGER_SHARDS: '3' }))).toMatchObject({ code: 0 });
  });

  it('finds that no statement of liabilities speaks of what was signed', async () => {
    expect(await audit('verify --statements-within 90')).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /!! statement 1 of liabilities: missing: ledger\.test\/shard\/0 was signed up to/,
      ) as unknown,
    });
  });

  it.each([
    ['verify --swap-prices-since soon', {}],
    ['verify --swap-prices-since 5', {}],
    ['verify --swap-prices-since 2026-11-21T00:00:00Z', { SWAP_RATES: 'many' }],
    ['verify --shards some', {}],
    ['verify', { LEDGER_SHARDS: 'some' }],
    ['verify --statements-within soon', {}],
  ])('refuses what it can not read: %s %j', async (args, settings) =>
    expect(await audit(args, env(settings))).toMatchObject({ code: 2, out: '' }),
  );
});

describe('audit balance', () => {
  it('gives the balance after the last event up to a time or a position', async () => {
    const log = logOf(1);
    const { id } = walletOf(log, 'USD');
    const events = log.events.filter(({ event }) => 'account_id' in event && event.account_id === id);
    expect(events.length).toBeGreaterThan(10);
    for (const { position, recorded_at, event } of events) {
      const balance = 'balance_after' in event ? event.balance_after : '';
      const expected = { balance, currency: 'USD', shard: 1, position, recorded_at };
      expect(await answer(`balance --wallet ${id} --as-of ${position}`)).toMatchObject(expected);
      const sameTime = events.filter((other) => other.recorded_at === recorded_at).at(-1);
      expect(await answer(`balance --wallet ${id} --as-of ${recorded_at}`)).toMatchObject({
        position: sameTime?.position,
        recorded_at,
      });
    }
  });

  it('holds between events, and for ever after the last', async () => {
    const { id } = walletOf(logOf(0), 'USD');
    const latest = await answer(`balance --wallet ${id} --as-of 999999999`);
    expect(await answer(`balance --wallet ${id.toUpperCase()} --as-of 2100-01-01T00:00:00Z`)).toEqual(latest);
    expect(latest).toMatchObject({ ok: true, balance: logOf(0).state.account(id, 'USD').balance.toString() });
  });

  it('says that there was nothing before the first event', async () => {
    const { id, position } = walletOf(logOf(0), 'USDC');
    for (const moment of [String(position - 1), '0', '2026-11-21T11:59:59.999Z']) {
      expect(await audit(`balance --wallet ${id} --as-of ${moment}`)).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(
          /^Wallet .* did not exist by then: it was opened later \(position 2, .*\)\.\n$/,
        ) as unknown,
      });
    }
    const unknown = await audit(`balance --wallet ${logOf(0).merchant_id} --as-of 5`);
    expect(unknown).toMatchObject({ code: 1, err: expect.stringMatching(/knows no wallet/) as unknown });
  });
});

describe('audit explain', () => {
  it('shows every event of a transaction, by its code and by its id', async () => {
    const log = logOf(0);
    const reversed = [...log.state.transactions.values()].find(({ status }) => status === 'REVERSED');
    const byCode = await answer(`explain ${reversed?.transaction_id}`);
    expect(byCode).toEqual(await answer(`explain ${reversed?.id}`));
    const expected = log.rows.filter(({ transaction }) => transaction === reversed?.id);
    const shown = byCode['events'] as { position: number; hash: string; movement: string; command_id: string }[];
    const places = expected.map(({ position, hash }) => [position, hash.toString('hex')]);
    expect(shown.map(({ position, hash }) => [position, hash])).toEqual(places);
    expect([...new Set(shown.map(({ movement }) => movement))]).toEqual([
      'payout-accepted',
      'payout-completed',
      'payout-reversed',
    ]);
    const { out } = await audit(`explain ${reversed?.transaction_id}`);
    expect(out).toMatch(
      /PAYOUT DEBIT 30\.50000000 USD[^]*debit 31\.06000000 USD[^]*PENDING → COMPLETED[^]*COMPLETED → REVERSED/,
    );
    shown.forEach(({ hash, command_id }) => expect(out).toContain(`${command_id}  ${hash}`));
  });

  it('refuses a code for which the table names a transaction that the log contradicts', async () => {
    const [one, other] = [...logOf(0).state.transactions.values()];
    await database.owner.$executeRaw`UPDATE transactions SET transaction_id = 'ZZZZZZZZZZ' WHERE id = ${one?.id}::uuid`;
    await database.owner
      .$executeRaw`UPDATE transactions SET transaction_id = ${one?.transaction_id} WHERE id = ${other?.id}::uuid`;
    const found = await audit(`explain ${one?.transaction_id}`);
    await database.restore();
    expect(found).toMatchObject({ code: 1, err: expect.stringMatching(/lies about/) as unknown });
  });

  it('says what it doesn’t know', async () => {
    for (const unknown of ['AAAAAAAAAA', logOf(0).merchant_id]) {
      expect(await audit(`explain ${unknown}`)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/knows no transaction/) as unknown,
      });
    }
    expect(await audit('explain nonsense')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/10 characters/) as unknown,
    });
  });
});

describe('audit export', () => {
  type Line = { shard: number; position: number; hash: string; body: string };
  const lines = (out: string) =>
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);

  it('is a log that can be verified without the database', async () => {
    const { code, out } = await audit('export');
    expect(code).toBe(0);
    for (const log of database.logs) {
      const chain = new ChainVerifier(log.shard);
      const own = lines(out).filter(({ shard }) => shard === log.shard);
      own.forEach(({ shard, position, hash, body }) =>
        chain.follow({ shard, position, text: body, hash: Buffer.from(hash, 'hex') }),
      );
      expect(chain.fault).toBeUndefined();
      expect(chain.head).toEqual({ position: log.events.length, hash: log.rows.at(-1)?.hash });
    }
  });

  it('begins after --after and ends at --limit', async () => {
    const positions = async (args: string) =>
      lines((await audit(`export ${args}`)).out).map(({ shard, position }) => [shard, position]);
    expect(await positions('--shard 1 --after 4 --limit 3')).toEqual([
      [1, 5],
      [1, 6],
      [1, 7],
    ]);
    expect(await positions(`--limit ${logOf(0).events.length + 1}`)).toHaveLength(logOf(0).events.length + 1);
    expect((await audit('export --limit 0')).out).toBe('');
    expect(await audit('export --after 4')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/--shard/) as unknown,
    });
    expect(await audit('export --shard 7')).toMatchObject({ code: 2, err: 'There is no shard 7: there are 0, 1.\n' });
  });

  it('succeeds when its reader stops early, and waits for a slow one', async () => {
    let taken = 0;
    const reader = new Writable({
      highWaterMark: 1,
      write(_chunk, _encoding, done) {
        taken += 1;
        if (taken === 2) reader.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
        setTimeout(done, 5);
      },
    });
    reader.on('error', () => undefined);
    const code = await createAuditor({ AUDIT_DATABASE_URL: database.auditorUrl }, reader, new PassThrough()).run([
      'export',
    ]);
    expect({ code, taken }).toEqual({ code: 0, taken: 2 });
  });
});

describe('audit checkpoint', () => {
  it('can call a ledger that is one step ahead in a change of the bus key', async () => {
    const [before, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const broker = await startOwnNats();
    const connection = await connectToBus(broker.url, 'ledger');
    const ledger = new BusServer(connection, new SealedCodec(next, before), 'wallet-ledger');
    const signed = () => Promise.resolve({ shard: Number(currentRequest()?.shard), checkpoint: null });
    ledger.serve(makeCheckpoint, signed);
    try {
      for (const { shard } of database.logs) await ledger.takeShard(shard);
      const keys = { BUS_KEY: before.toString('base64'), BUS_ACCEPTED_KEY: next.toString('base64') };
      const env = { AUDIT_DATABASE_URL: database.auditorUrl, NATS_URL: broker.url, ...keys };
      const out = 'shard 0: no events\nshard 1: no events\n';
      expect(await audit('checkpoint', env)).toEqual({ code: 0, out, err: '' });
    } finally {
      await connection.close();
      await broker.stop();
    }
  });
});

/** A proxy to the same server that reports itself to clients as a standby. */
async function asStandby(url: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const target = new URL(url);
  const { port, hostname } = target;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const primary = connect(Number(port), hostname);
    for (const socket of [client, primary]) sockets.add(socket.on('error', () => undefined));
    client.on('data', (bytes) => primary.write(bytes)).on('close', () => primary.destroy());
    primary.on('data', (bytes) => {
      const said = bytes.toString('latin1');
      client.write(said.replace('\x17in_hot_standby\0off\0', '\x16in_hot_standby\0on\0'), 'latin1');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((closed) => server.close(closed));
  };
  return { url: target.href, stop };
}

it('an audit may use a standby', async () => {
  const standby = await asStandby(database.auditorUrl);
  try {
    const text = expect.stringMatching(/Intact: \d+ events/) as string;
    expect(await audit('verify', { AUDIT_DATABASE_URL: standby.url })).toEqual({ code: 0, out: text, err: '' });
  } finally {
    await standby.stop();
  }
});

describe('audit, used wrongly or without a database', () => {
  it.each<[string, NodeJS.ProcessEnv | undefined, number, RegExp]>([
    ['--help', {}, 0, /^$/],
    ['verify --help', {}, 0, /^$/],
    ['verify', {}, 2, /^No database named: set AUDIT_DATABASE_URL, or .*\.\n$/],
    ['verify', { LEDGER_DATABASE_URL: 'nonsense' }, 2, /^LEDGER_DATABASE_URL is no URL: .*\n$/],
    [
      'verify',
      { AUDIT_DATABASE_URL: 'postgresql://u:secret@127.0.0.1:1/ledger' },
      2,
      /^No answer from 127\.0\.0\.1:1\/ledger \(AUDIT_/,
    ],
    ['verify --shard one', undefined, 2, /whole number/],
    ['guess', undefined, 2, /unknown command 'guess'/],
    ['prove', undefined, 2, /missing required argument/],
    ['balance --wallet x', undefined, 2, /--as-of/],
    ['balance --wallet x --as-of 1', undefined, 2, /--wallet takes/],
    ['balance --wallet x --as-of soon', undefined, 2, /--as-of takes/],
  ])('%s %#', async (args, env, code, message) => {
    const result = await audit(args, env);
    expect(result.code).toBe(code);
    expect(result.err).toMatch(message);
    if (code === 0) expect(result.out).toMatch(/Usage: audit/);
  });

  it('says which right is missing', async () => {
    await database.owner.$executeRaw`REVOKE SELECT ON relay_checkpoints FROM ledger_app`;
    expect(await audit('verify', { LEDGER_DATABASE_URL: database.url })).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(
        /^This role may not: permission denied .*relay_checkpoints.* set AUDIT_DATABASE_URL\.\n$/,
      ) as unknown,
    });
  });
});
