import { randomUUID } from 'node:crypto';
import { CreateQuote } from '@stablecoin/contracts/swap/create-quote';
import { ExecutedSwap, ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { MadeQuoteView } from '@stablecoin/contracts/swap/views';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { SwapDatabase } from '../persistence/swap-database';
import { SwapSettledConsumer } from '../swaps/swap-settled.consumer';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';
import { QuoteRow } from './quote-row';
import { claimingQuotes, makingQuotes, settlingQuotes } from './quote-statements';
import { TermsMac } from './terms-mac';

const TTL_MS = 60_000;
const MAC = new TermsMac({ commandKey: Buffer.alloc(32, 7) } as SwapPricingConfiguration);
const pair = { from_currency: 'USDT', to_currency: 'NGN' } as const;
const terms = { fromAmount: '10', toAmount: '15345', quotedPrice: '1534.5' };
let files: TestDatabase;
let owner: Client;
let database: SwapDatabase;
let make: ReturnType<typeof makingQuotes>;
let claim: ReturnType<typeof claimingQuotes>;
let settle: ReturnType<typeof settlingQuotes>;

beforeAll(async () => {
  files = await createTestDatabase('swap');
  owner = new Client({ connectionString: files.ownerUrl });
  await owner.connect();
  database = new SwapDatabase({ databaseUrl: files.url, databasePoolSize: 4 } as SwapPricingConfiguration);
  [make, claim, settle] = [makingQuotes(database, MAC, TTL_MS), claimingQuotes(database), settlingQuotes(database)];
});

afterAll(async () => {
  await owner.end();
  await database.$disconnect();
  await files.drop();
});

const creation = (over: Partial<CreateQuote> = {}) =>
  Object.assign(new CreateQuote(), commandOf({ merchant_id: randomUUID(), ...pair, amount: '10', ...over }));
const made = async (over: Partial<CreateQuote> = {}) => {
  const command = creation(over);
  const view = (await make({ id: randomUUID(), command, terms, madeAt: new Date() })) as MadeQuoteView;
  return { id: view.id, merchant_id: command.merchant_id };
};
const execution = (merchant_id: string, { command_id, ...over }: Partial<ExecuteSwap> = {}) =>
  Object.assign(new ExecuteSwap(), commandOf({ merchant_id, ...pair, amount: '10.00', shard: 3, ...over }, command_id));
const claimFor = (command: ExecuteSwap) =>
  claim({ command, requestProof: '{"proof": "of the request"}', deadline: Date.now() + 5_000 });
const posted = (quote: QuoteRow, command: ExecuteSwap) => ({
  ...{ quote, command },
  result: { swap_id: quote.id, note: 'a text, "quoted", {braced} and \\' } as unknown as ExecutedSwap,
});
async function claimed(): Promise<ReturnType<typeof posted>> {
  const { merchant_id } = await made();
  const command = execution(merchant_id);
  return posted((await claimFor(command)) as QuoteRow, command);
}
const rowOf = async (id: string) => (await owner.query('SELECT * FROM quotes WHERE id = $1', [id])).rows[0];
const resultOf = async ({ command_id }: { command_id: string }) =>
  (await owner.query('SELECT merchant_id, input_hash, result FROM command_results WHERE command_id = $1', [command_id]))
    .rows[0];

/** While `work` runs, another transaction holds what the statement has locked. */
async function whileLocked<Result>(statement: string, values: unknown[], work: () => Promise<Result>): Promise<Result> {
  await owner.query('BEGIN');
  await owner.query(statement, values);
  return work().finally(() => owner.query('ROLLBACK'));
}
const LOCKED_QUOTE = 'SELECT 1 FROM quotes WHERE id = $1 FOR UPDATE';
const LOCKED_COMMAND = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';

const waiting = (count: number) =>
  eventually(`${count} wait for a lock`, async () => {
    const rows = await database.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    return rows.length === count;
  });

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const asked = jest.spyOn(database.sql, '$queryRaw');
  await work();
  const count = asked.mock.calls.length;
  asked.mockRestore();
  return count;
}

describe('of requests that come together', () => {
  it('each gets its own quote, its own claim and its own end, and they share three statements', async () => {
    const commands = Array.from({ length: 30 }, (_, index) => creation({ sealed_profile: `profile ${index}` }));
    let views: (MadeQuoteView | undefined)[] = [];
    let quotes: (QuoteRow | undefined)[] = [];
    let ends: boolean[] = [];
    const swaps = commands.map(({ merchant_id }) => execution(merchant_id));
    const statements = await statementsOf(async () => {
      views = await Promise.all(
        commands.map((command) => make({ id: randomUUID(), command, terms, madeAt: new Date() })),
      );
      quotes = await Promise.all(swaps.map(claimFor));
      ends = await Promise.all(swaps.map((command, index) => settle(posted(quotes[index] as QuoteRow, command))));
    });
    expect(statements).toBe(3);
    expect(ends).toEqual(commands.map(() => true));
    for (const [index, command] of commands.entries()) {
      const [view, swap] = [views[index] as MadeQuoteView, swaps[index] as ExecuteSwap];
      expect(view).toMatchObject({ ...pair, from_amount: '10.00000000', sealed_profile: `profile ${index}` });
      const { merchant_id } = command;
      const stored = { merchant_id, input_hash: command.input_hash };
      const { result, ...by } = await resultOf(command);
      expect([by, JSON.parse(result)]).toEqual([stored, view]);
      expect(quotes[index]).toMatchObject({ id: view.id, merchant_id, state: 'claimed', running: true });
      expect(await rowOf(view.id)).toMatchObject({
        ...{ merchant_id, state: 'used', claim_command_id: swap.command_id, claim_input_hash: swap.input_hash },
        ...{ claim_shard: 3, claim_attempt: 1, claim_request_proof: '{"proof": "of the request"}' },
      });
      expect(JSON.parse((await resultOf(swap)).result)).toEqual(posted(quotes[index] as QuoteRow, swap).result);
    }
  });

  it('one whose terms the table refuses fails alone', async () => {
    const impossible = { ...terms, toAmount: '-1' };
    const [bad, good] = [creation(), creation()];
    const outcomes = await Promise.allSettled([
      make({ id: randomUUID(), command: bad, terms: impossible, madeAt: new Date() }),
      make({ id: randomUUID(), command: good, terms, madeAt: new Date() }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await resultOf(bad)).toBeUndefined();
    expect(await resultOf(good)).toBeDefined();
  });
});

describe('a quote is not made, and others of the same statement are,', () => {
  it('for a command that has a result', async () => {
    const command = creation();
    await make({ id: randomUUID(), command, terms, madeAt: new Date() });
    const [again, other] = [
      { id: randomUUID(), command, terms, madeAt: new Date() },
      { id: randomUUID(), command: creation(), terms, madeAt: new Date() },
    ];
    const views = await Promise.all([make(again), make(other)]);
    expect(views).toEqual([undefined, expect.objectContaining({ id: other.id })]);
    expect(await rowOf(again.id)).toBeUndefined();
  });

  it('for a command that runs elsewhere', async () => {
    const [here, elsewhere] = [creation(), creation()];
    const views = await whileLocked(LOCKED_COMMAND, [elsewhere.command_id], () =>
      Promise.all([here, elsewhere].map((command) => make({ id: randomUUID(), command, terms, madeAt: new Date() }))),
    );
    expect(views).toEqual([expect.anything(), undefined]);
    expect(await resultOf(elsewhere)).toBeUndefined();
  });
});

it('of a command that another instance has done meanwhile, nothing is made', async () => {
  const command = creation();
  const view = await whileLocked(
    `INSERT INTO command_results VALUES ($1, $2, '', '{}')`,
    [command.command_id, command.merchant_id],
    async () => {
      const made = make({ id: randomUUID(), command, terms, madeAt: new Date() });
      await waiting(1);
      await owner.query('COMMIT');
      return made;
    },
  );
  expect(view).toBeUndefined();
});

describe('nothing is claimed, and others of the same statement claim theirs,', () => {
  const neighbour = async () => execution((await made()).merchant_id);
  const bothClaims = async (command: ExecuteSwap) => Promise.all([command, await neighbour()].map(claimFor));

  it.each<[string, (quote: { id: string; merchant_id: string }) => Promise<ExecuteSwap>]>([
    [
      'by a command that has a result',
      async ({ merchant_id }) => {
        const { command_id } = creation();
        const values = [command_id, merchant_id];
        await owner.query(`INSERT INTO command_results VALUES ($1, $2, '', '{}')`, values);
        return execution(merchant_id, { command_id });
      },
    ],
    [
      'by a command that has claimed a quote before',
      async ({ merchant_id }) => {
        const command = execution(merchant_id);
        await claimFor(command);
        await made({ merchant_id });
        return command;
      },
    ],
    [
      'of a quote that has expired',
      async ({ id, merchant_id }) => {
        await owner.query(`UPDATE quotes SET expires_at = now() - interval '1 ms' WHERE id = $1`, [id]);
        return execution(merchant_id);
      },
    ],
    [
      'of a quote that is used',
      async ({ id, merchant_id }) => {
        await owner.query(`UPDATE quotes SET state = 'used' WHERE id = $1`, [id]);
        return execution(merchant_id);
      },
    ],
    [
      'of another merchant’s quote, though it is for the same customer',
      async () => {
        const customer_id = randomUUID();
        const { id } = await made({ customer_id });
        return execution(randomUUID(), { quote_id: id, customer_id });
      },
    ],
    ['of another owner’s quote', async ({ merchant_id }) => execution(merchant_id, { customer_id: randomUUID() })],
    ['for another amount', async ({ merchant_id }) => execution(merchant_id, { amount: '11' })],
    ['for another pair', async ({ merchant_id }) => execution(merchant_id, { to_currency: 'GBP' })],
    [
      'of another quote than the one that is named',
      async ({ merchant_id }) => execution(merchant_id, { quote_id: randomUUID() }),
    ],
  ])('%s', async (_case, commandFor) => {
    const quote = await made();
    const outcomes = await bothClaims(await commandFor(quote));
    expect(outcomes).toEqual([undefined, expect.objectContaining({ state: 'claimed' })]);
  });

  it('by a command that runs elsewhere', async () => {
    const command = execution((await made()).merchant_id);
    const outcomes = await whileLocked(LOCKED_COMMAND, [command.command_id], () => bothClaims(command));
    expect(outcomes).toEqual([undefined, expect.anything()]);
  });

  it('where the quote is locked at the moment: nothing waits for it, and no older one is taken', async () => {
    const { merchant_id } = await made();
    const newest = await made({ merchant_id });
    const command = execution(merchant_id);
    const outcomes = await whileLocked(LOCKED_QUOTE, [newest.id], () => bothClaims(command));
    expect(outcomes).toEqual([undefined, expect.anything()]);
    await expect(claimFor(command)).resolves.toMatchObject({ id: newest.id });
  });

  it('by the second of two commands that mean one quote', async () => {
    const { id, merchant_id } = await made();
    const outcomes = await Promise.all([execution(merchant_id), execution(merchant_id)].map(claimFor));
    const taken = outcomes.filter((quote) => quote !== undefined);
    expect(taken).toEqual([expect.objectContaining({ id })]);
    expect(await rowOf(id)).toMatchObject({ claim_command_id: taken[0]?.claim_command_id, claim_attempt: 1 });
  });
});

describe('a claim', () => {
  it('that has a result is left as it is, and others of the same statement are settled', async () => {
    const [first, second] = [await claimed(), await claimed()];
    await owner.query(`INSERT INTO command_results VALUES ($1, $2, $3, '{"swap_id": "stored"}')`, [
      ...[first.command.command_id, first.command.merchant_id, first.command.input_hash],
    ]);
    const before = await rowOf(first.quote.id);
    expect(await Promise.all([settle(first), settle(second)])).toEqual([false, true]);
    expect(await rowOf(first.quote.id)).toEqual(before);
    expect((await resultOf(first.command)).result).toBe('{"swap_id": "stored"}');
    expect(await rowOf(second.quote.id)).toMatchObject({ state: 'used' });
  });

  it('whose quote the fact has used keeps the time at which it was', async () => {
    const swap = await claimed();
    await owner.query(`UPDATE quotes SET state = 'used', updated_at = '2026-01-02T03:04:05Z' WHERE id = $1`, [
      swap.quote.id,
    ]);
    expect(await settle(swap)).toBe(true);
    expect(await rowOf(swap.quote.id)).toMatchObject({ updated_at: new Date('2026-01-02T03:04:05Z') });
  });

  it('and the facts of others are settled side by side, in whatever order they come: neither waits in a circle', async () => {
    const swaps = [await claimed(), await claimed(), await claimed()].sort((a, b) =>
      a.quote.id < b.quote.id ? 1 : -1,
    );
    // Their rows stand in the table from the highest id to the lowest.
    for (const { quote } of swaps) await owner.query('UPDATE quotes SET claim_attempt = 1 WHERE id = $1', [quote.id]);
    await owner.query('ANALYZE quotes');
    const [, middle] = swaps;
    const facts = swaps.map(({ quote }) => ({ transactions: [{ reference_id: quote.id }] }) as LedgerFact);
    const consumer = new SwapSettledConsumer(database, { add: () => undefined } as never);
    const outcomes = await whileLocked(LOCKED_QUOTE, [middle?.quote.id], async () => {
      const told = database.sql.$transaction((sql) => consumer.handle(sql, facts));
      await waiting(1);
      const settled = Promise.all(swaps.map(settle));
      await waiting(2);
      return { told, settled };
    });
    await outcomes.told;
    expect(await outcomes.settled).toEqual([true, true, true]);
  });
});
