import { readLiabilities, LiabilityStatement } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { printUnits } from '@stablecoin/event-proofs/liabilities/sum-tree';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { liabilitySignerOf, signLiabilitiesOf } from '../testing/signed-liabilities';
import { signLog } from '@stablecoin/ledger-log/testing/signed-log';
import { asked, Asking, ON_CHAIN, Stating, withAskers } from '@stablecoin/ledger-log/testing/asked-log';
import { DrivenLog, judgedChainLog } from '@stablecoin/ledger-log/testing/driven-log';
import { liabilitiesReport } from '../liabilities/liabilities';
import { verify, VerifyOptions } from './verify';
import { verificationReport } from './verify.report';

let database: AuditedDatabase;
beforeAll(async () => {
  database = await auditedDatabase();
});
beforeEach(() => database.restore({ signed: false }));
afterAll(() => database.drop());

const run = (options: VerifyOptions = {}) => database.audit((ledger) => verify(ledger, options));
const tamper = (statement: string) => database.owner.$executeRawUnsafe(statement);
const rowsOf = (shard: number) => (database.logs[shard] as DrivenLog).rows;
const signTo = (size: number) => signLog(database.owner, rowsOf(1), [size]);
const signStatement = (options: Parameters<typeof signLiabilitiesOf>[2] = {}) =>
  signLiabilitiesOf(database.owner, [0, 1], options);
const signShard = () => signTo(rowsOf(1).length);

/** Expects one fault, an exit code of 1, and one sentence on what to do. */
async function expectFault(number: number, problem: RegExp, options: VerifyOptions = {}): Promise<void> {
  const found = await run(options);
  expect(found.liabilities?.faults).toEqual([{ number, problem: expect.stringMatching(problem) as unknown }]);
  const report = verificationReport(found, 0);
  expect(report.ok).toBe(false);
  expect(report.text).toContain(`!! statement ${number} of liabilities: `);
  expect(report.text.match(/^What to do: .*$/gm)).toHaveLength(1);
}

it('is right at every position of the log, made anew from it', async () => {
  const { length } = rowsOf(1);
  // Each is signed with the tables as they are at the log's end, and speaks of an earlier position.
  for (let size = 2; size <= length; size += 3) {
    await database.restore({ signed: false });
    await signTo(size);
    await signStatement();
    expect((await run()).liabilities).toMatchObject({ signed: 1, verified: 1, faults: [] });
  }
});

it('is said to be missing where there is none, without a fault', async () => {
  await signShard();
  const found = await run();
  expect(found).toMatchObject({ ok: true, liabilities: { signed: 0, time: null } });
  expect(verificationReport(found, 0).text).toContain('no statement of liabilities');
});

it('makes anew as many as are asked for', async () => {
  await signShard();
  for (let count = 0; count < 3; count += 1) await signStatement();
  expect((await run()).liabilities).toMatchObject({ signed: 3, verified: 1 });
  expect((await run({ statements: 3 })).liabilities).toMatchObject({ signed: 3, verified: 3 });
  expect((await run({ statements: 0 })).liabilities).toMatchObject({ signed: 3, verified: 0 });
  expect((await run({ shard: 1 })).liabilities).toBeNull();
});

const lowered = ({ owed, ...place }: LiabilityStatement): LiabilityStatement => ({
  ...place,
  owed: owed.map((stated) => ({ ...stated, sum: stated.sum - (stated.sum > 0n ? 1n : 0n) })),
});

describe('a statement that is wrong is found:', () => {
  beforeEach(() => signShard());

  it('a sum that the ledger has signed too low', async () => {
    await signStatement({ forge: lowered });
    await expectFault(1, /^it says that \S+ USD are owed; by the log it is \S+$/);
  });

  it('a wallet left out', async () => {
    const wallet = `(SELECT id FROM wallets WHERE currency = 'USD' AND shard = 1)`;
    await tamper(`CREATE TABLE hidden AS SELECT * FROM wallets WHERE id = ${wallet}`);
    await tamper(`DELETE FROM wallets WHERE id = ${wallet}`);
    await signStatement();
    await tamper(`INSERT INTO wallets SELECT * FROM hidden`);
    await tamper(`DROP TABLE hidden`);
    await expectFault(1, /USD are owed; by the log it is/);
  });

  it('a balance that was changed while it was signed', async () => {
    await tamper(
      `UPDATE account_balances SET balance = balance - 1 WHERE account_id NOT LIKE '%:%' AND balance > 1 AND shard = 0`,
    );
    await signStatement();
    await tamper(
      `UPDATE account_balances SET balance = balance + 1 WHERE account_id NOT LIKE '%:%' AND balance > 1 AND shard = 0`,
    );
    await expectFault(1, /are owed; by the log it is/);
  });

  it('money that moved between two wallets while it was signed, so that the sum is right', async () => {
    const move = async (by: string) => {
      const [one, other] = ["'0'", "'1'"].map(
        (shard) => `shard = ${shard} AND account_id IN (SELECT id::text FROM wallets WHERE currency = 'USD')`,
      );
      await tamper(`UPDATE account_balances SET balance = balance - ${by} WHERE ${one}`);
      await tamper(`UPDATE account_balances SET balance = balance + ${by} WHERE ${other}`);
    };
    await move('1');
    await signStatement();
    await move('-1');
    await expectFault(1, /^its tree of USD is not that of the wallets in the log$/);
  });

  it('a currency that is not named', async () => {
    await signStatement({
      forge: (honest) => ({ ...honest, owed: honest.owed.filter(({ currency }) => currency !== 'USD') }),
    });
    await expectFault(1, /^it does not say that \S+ USD are owed$/);
  });

  it('one that is dated otherwise than it was signed, so that none is due any more', async () => {
    await signStatement();
    await tamper(`UPDATE ledger_liabilities SET created_at = '2099-01-01'`);
    await expectFault(1, /^it is dated 2099-01-01T00:00:00\.000Z, and was signed at 2026-/);
  });

  it('a shard that is not named', async () => {
    await signLiabilitiesOf(database.owner, [1]);
    await expectFault(1, /^it says nothing of shard 0/);
  });

  it('a position that was never signed, or goes back', async () => {
    const forge = ({ shards, ...rest }: LiabilityStatement) => ({
      ...rest,
      shards: shards.map((place) => ({ ...place, size: place.size - 1 })),
    });
    await signStatement({ forge });
    await expectFault(1, /^it speaks of position \d+ of shard 0 with a root that was never signed$/);
    await database.restore();
    await signStatement();
    await signStatement({ forge });
    await expectFault(2, /^it speaks of an earlier position/);
  });

  it('one that was removed, and one that was removed with all after it but kept elsewhere', async () => {
    const notes = [await signStatement(), await signStatement(), await signStatement()];
    await tamper(`DELETE FROM ledger_liabilities WHERE number = 2`);
    await expectFault(2, /^missing: the next one that is there is 3$/);
    await tamper(`DELETE FROM ledger_liabilities WHERE number > 1`);
    expect((await run()).liabilities?.faults).toEqual([]);
    await expectFault(3, /^missing: it was signed at /, { keptStatements: [notes[2] ?? ''] });
    expect((await run({ keptStatements: [notes[0] ?? ''] })).liabilities?.faults).toEqual([]);
  });

  it('the newest ones removed, where a part of the log was signed too long ago for none to speak of it', async () => {
    const { length } = rowsOf(1);
    await database.restore({ signed: false });
    await signLog(database.owner, rowsOf(1), [4, length]);
    await signStatement();
    const signedAt = Date.parse(rowsOf(1).at(-1)?.recorded_at ?? '');
    const within = (minutes: number) => ({
      statementsWithinMs: 90 * 60_000,
      now: new Date(signedAt + minutes * 60_000),
    });
    expect((await run(within(91))).liabilities?.faults).toEqual([]);
    await tamper(`DELETE FROM ledger_liabilities`);
    await tamper(`DELETE FROM ledger_liability_tiles`);
    const problem =
      /^missing: ledger\.test\/shard\/0 was signed up to position \d+ at \S+, and no statement speaks of it$/;
    await expectFault(1, problem, within(91));
    expect((await run(within(-1))).liabilities?.faults).toEqual([]);
    expect((await run({ now: within(91).now })).liabilities?.faults).toEqual([]);
  });

  it('one that was exchanged for another of the same number', async () => {
    const kept = await signStatement();
    await tamper(`DELETE FROM ledger_liabilities`);
    await tamper(`DELETE FROM ledger_liability_tiles`);
    await signStatement({ forge: (honest) => ({ ...honest, time: '2026-11-22T00:00:00.000Z' }) });
    await expectFault(1, /^it is another than the statement of this number that was kept elsewhere$/, {
      keptStatements: [kept],
    });
  });

  it('another key, where the key is given', async () => {
    await signStatement({ seed: 7 });
    expect((await run()).liabilities?.faults).toEqual([]);
    await expectFault(1, /^no valid signature/, { keys: [{ publicKey: liabilitySignerOf(6).publicKey }] });
  });

  it.each([
    ['its secret', `UPDATE ledger_liabilities SET secret = sha256('')`, /^its tree of \w+ is not that/],
    ['its note', `UPDATE ledger_liabilities SET note = replace(note, 'number 1', 'number 2')`, /^no valid signature/],
    [
      'a tile of its tree',
      `UPDATE ledger_liability_tiles SET nodes = overlay(nodes PLACING '\\x00' FROM 1) WHERE currency = 'EUR'`,
      /^1 stored tiles/,
    ],
    [
      'what a tile says of wallets',
      `UPDATE ledger_liability_tiles SET wallets = overlay(wallets PLACING '\\x00ff' FROM 1) WHERE currency = 'EUR'`,
      /^1 stored tiles/,
    ],
    ['a tile too few', `DELETE FROM ledger_liability_tiles WHERE currency = 'EUR'`, /^1 stored tiles/],
  ])('changed in the database: %s', async (_what, statement, problem) => {
    await signStatement();
    await tamper(statement);
    await expectFault(1, problem);
  });

  it('and nothing is said of it where the log itself is broken', async () => {
    await signStatement({ forge: lowered });
    await tamper(`UPDATE ledger_events SET hash = sha256('') WHERE shard = 1 AND position = 5`);
    expect((await run()).liabilities).toBeNull();
  });
});

it('a statement of the first form, with live and test in one sum, is judged as what it is', async () => {
  await signShard();
  await signStatement({ form: 1 });
  expect((await run()).liabilities).toMatchObject({ signed: 1, verified: 1, faults: [] });
  await signStatement();
  await signStatement({ form: 1, forge: lowered });
  await expectFault(3, /are owed; by the log it is/);
});

describe('live and test apart, by the keys that the log names:', () => {
  /** The first shard's merchant has asked with test keys, the second's with live ones, whose money no sandbox sees. */
  const logOf = (shard: number, asking: Asking): DrivenLog => {
    // Payouts of a live merchant need a policy.
    const log = judgedChainLog(shard);
    log.events.splice(0, log.events.length, ...withAskers(log.events).map(asking));
    return log;
  };
  const IN_SANDBOX: Stating = { service: 'payout', rail: 'sandbox', ofDeposits: 'test' };
  let both: AuditedDatabase;
  beforeAll(async () => {
    both = await auditedDatabase([logOf(0, asked('test', IN_SANDBOX)), logOf(1, asked('live', ON_CHAIN))]);
  });
  beforeEach(() => both.restore());
  afterAll(() => both.drop());

  const stated = (options: Parameters<typeof signLiabilitiesOf>[2] = {}) =>
    signLiabilitiesOf(both.owner, [0, 1], options);
  const problems = async () => {
    const { liabilities } = await both.audit((ledger) => verify(ledger, {}));
    return liabilities?.faults.map(({ problem }) => problem);
  };
  const forged = (change: (owed: Map<string, bigint>) => void) => (honest: LiabilityStatement) => {
    const sums = new Map(honest.owed.map(({ currency, sum }) => [currency, sum]));
    change(sums);
    return { ...honest, owed: honest.owed.map((one) => ({ ...one, sum: sums.get(one.currency) ?? 0n })) };
  };
  const of = (sums: Map<string, bigint>, currency: string) => sums.get(currency) ?? 0n;

  it('is right where each is where it belongs', async () => {
    const owed = readLiabilities(await stated())?.owed ?? [];
    const [live, test] = ['USDC', 'USDC/test'].map((name) => owed.find(({ currency }) => currency === name)?.sum);
    expect(live).toBeGreaterThan(0n);
    // Both have made the same movements.
    expect(test).toBe(live);
    expect(await problems()).toEqual([]);
  });

  it("a test merchant's money among live", async () => {
    const among = (sums: Map<string, bigint>) =>
      sums.set('USDC', of(sums, 'USDC') + of(sums, 'USDC/test')).set('USDC/test', 0n);
    await stated({ forge: forged(among) });
    expect(await problems()).toEqual([
      expect.stringMatching(/^it says that \S+ USDC are owed; by the log it is \S+$/) as unknown,
    ]);
  });

  it("a live merchant's money among test", async () => {
    const among = (sums: Map<string, bigint>) =>
      sums.set('USDC/test', of(sums, 'USDC/test') + of(sums, 'USDC')).set('USDC', 0n);
    await stated({ forge: forged(among) });
    expect(await problems()).toEqual([
      expect.stringMatching(/^it says that 0\.00000000 USDC are owed; by the log it is \S+$/) as unknown,
    ]);
  });

  it("a live merchant's wallet that was a test merchant's in the tables while it was signed", async () => {
    const [test, live] = both.logs.map(({ merchant_id }) => merchant_id);
    const tampered = (statement: string) => both.owner.$executeRawUnsafe(statement);
    await tampered(`CREATE TABLE kept AS SELECT id, customer_id FROM wallets WHERE shard = 1`);
    await tampered(`UPDATE wallets SET merchant_id = '${test}', customer_id = id WHERE shard = 1`);
    await stated();
    await tampered(
      `UPDATE wallets SET merchant_id = '${live}', customer_id = kept.customer_id FROM kept WHERE kept.id = wallets.id`,
    );
    await tampered(`DROP TABLE kept`);
    expect(await problems()).toEqual([expect.stringMatching(/^it does not say that \S+ \w+ are owed$/) as unknown]);
  });
});

describe('audit liabilities', () => {
  const report = (time?: string) => database.audit((ledger) => liabilitiesReport(ledger, time));

  it('prints what was signed, with wallets and held money, and that the log says the same', async () => {
    await signShard();
    const note = await signStatement();
    const { ok, json, text } = await report();
    const owed = readLiabilities(note)?.owed.map(({ currency, sum }) => ({ currency, owed: printUnits(sum) }));
    expect({ ok, json }).toMatchObject({
      ok: true,
      json: { number: 1, currencies: owed, statement: note, problem: null },
    });
    // Two shards with the same movements: 40.65 each are held.
    expect(json['currencies']).toContainEqual(
      expect.objectContaining({ currency: 'USD', wallets: 2, held: '81.30000000' }),
    );
    expect(text).toContain('The tables and the log say the same.');
  });

  it('prints the newest of a time, and a finding where there is none or the tables say otherwise', async () => {
    await signShard();
    const first = readLiabilities(await signStatement());
    await signStatement();
    expect((await report(first?.time)).json['number']).toBe(1);
    await expect(report('2026-11-21T13:00:00.000Z')).rejects.toThrow('There is no statement of liabilities up to');
    await tamper(`UPDATE account_balances SET balance = balance + 1 WHERE account_id NOT LIKE '%:%' AND shard = 1`);
    expect(await report()).toMatchObject({ ok: false, text: expect.stringContaining('!! it says that') as unknown });
  });
});
