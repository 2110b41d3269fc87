import { randomUUID } from 'node:crypto';
import { CreateQuote } from '@stablecoin/contracts/swap/create-quote';
import { DryRunExecuteSwap, SwapDryRun } from '@stablecoin/contracts/swap/dry-run-execute-swap';
import { ExecutedSwap, ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { SwapQuoteView } from '@stablecoin/contracts/swap/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { RunningSwapPricing, startSwapPricing } from '../testing/running-service';

const pair = { from_currency: 'USDT', to_currency: 'NGN' } as const;
const customer_id = randomUUID();
let service: RunningSwapPricing;
let owner: Client;
let merchant: string;

beforeAll(async () => {
  service = await startSwapPricing();
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});

beforeEach(() => {
  merchant = randomUUID();
  service.ledger.posted.clear();
  service.ledger.before = service.ledger.after = () => undefined;
});

afterAll(async () => {
  await owner.end();
  await service.stop();
});

type Terms = Partial<Omit<ExecuteSwap, 'command_id'>>;

async function quote(amount = '10'): Promise<SwapQuoteView> {
  const command = Object.assign(new CreateQuote(), commandOf({ merchant_id: merchant, ...pair, amount }));
  return (await service.commands.execute<CreateQuote, CommandReply<SwapQuoteView>>(command)).result;
}

const termsOf = (terms: Terms) =>
  commandOf({ merchant_id: merchant, ...pair, amount: '10', shard: service.ledger.shard, ...terms });

const within = <Result>(withinMs: number, ask: () => Promise<Result>) =>
  withRequestContext({ requestId: 'spec', deadline: Date.now() + withinMs }, ask);

function dryRun(terms: Terms = {}, withinMs = 5_000): Promise<SwapDryRun> {
  const command = Object.assign(new DryRunExecuteSwap(), termsOf(terms));
  return within(withinMs, () => service.commands.execute<DryRunExecuteSwap, SwapDryRun>(command));
}

function execute(terms: Terms = {}, withinMs = 5_000): Promise<ExecutedSwap> {
  const command = Object.assign(new ExecuteSwap(), termsOf(terms));
  const execution = () => service.commands.execute<ExecuteSwap, CommandReply<ExecutedSwap>>(command);
  return within(withinMs, async () => (await execution()).result);
}

/** The quote that it takes, or the code of its refusal. */
const verdictOf = (asked: Promise<{ swap_id: string }>): Promise<string> =>
  asked.then(
    ({ swap_id }) => swap_id,
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

async function everything(): Promise<unknown> {
  const text = (table: string) => `(SELECT string_agg(t::text, '|' ORDER BY t::text) FROM ${table} t)`;
  const { rows } = await owner.query(`SELECT ${['quotes', 'command_results', 'inbox'].map(text).join(', ')}`);
  return [rows, service.ledger.posted.size];
}

/** Asks for the dry run, which must change nothing, and then for the swap. @returns the verdict of both */
async function verdictsOf(terms: Terms = {}): Promise<[tried: string, came: string]> {
  const before = await everything();
  const tried = await verdictOf(dryRun(terms));
  expect(await everything()).toEqual(before);
  return [tried, await verdictOf(execute(terms))];
}

const both = (verdict: string) => [verdict, verdict];
const refusing = (code: Refusal['code']) => () => {
  throw new Refusal(code);
};
const set = (assignments: string, id: string) => owner.query(`UPDATE quotes SET ${assignments} WHERE id = $1`, [id]);

describe('a dry run of a swap', () => {
  it('takes the quote that the swap would take, leaves it open, and shows the ledger’s two transactions', async () => {
    const [named, latest] = [await quote(), await quote()];
    const { debit_transaction, credit_transaction } = await dryRun();
    expect(debit_transaction).toMatchObject({ id: null, amount: latest.from_amount, transaction_mode: 'DEBIT' });
    expect(credit_transaction).toMatchObject({ id: null, amount: latest.to_amount, transaction_mode: 'CREDIT' });
    expect(service.ledger.posted.size).toBe(0);
    expect(await verdictsOf({ quote_id: named.id })).toEqual(both(named.id));
    expect(await verdictsOf()).toEqual(both(latest.id));
    expect(await verdictsOf()).toEqual(both('quote_used'));
    expect(await verdictsOf({ quote_id: named.id })).toEqual(both('quote_used'));
  });

  it.each<[string, Terms, Refusal['code']]>([
    ['an amount without a quote', { amount: '11' }, 'quote_required'],
    ['another owner', { customer_id }, 'quote_required'],
    ['another merchant', { merchant_id: customer_id }, 'quote_required'],
    ['a quote that does not exist', { quote_id: customer_id }, 'not_found'],
    ['one currency twice', { to_currency: 'USDT' }, 'unsupported_pair'],
    ['a customer that is closed', { objection: 'customer_closed' }, 'customer_closed'],
  ])('is refused for %s as the swap is', async (_what, terms, code) => {
    await quote();
    expect(await verdictsOf(terms)).toEqual(both(code));
  });

  it('is refused for the named quote’s other amount, and for one that has expired, as the swap is', async () => {
    const { id } = await quote();
    expect(await verdictsOf({ quote_id: id, amount: '12' })).toEqual(both('quote_mismatch'));
    await set(`expires_at = now() - interval '1 s'`, id);
    expect(await verdictsOf({ quote_id: id })).toEqual(both('quote_expired'));
    expect(await verdictsOf()).toEqual(both('quote_expired'));
  });

  it.each(['insufficient_funds', 'wallet_not_found', 'customer_closed', 'quote_expired', 'unavailable'] as const)(
    'is refused with the ledger’s %s as the swap is',
    async (code) => {
      await quote();
      service.ledger.before = refusing(code);
      expect(await verdictsOf()).toEqual(both(code));
    },
  );

  it('neither waits for nor refuses another one', async () => {
    const { id } = await quote();
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => verdictOf(dryRun())));
    expect(verdicts).toEqual(Array(20).fill(id));
    expect(await verdictOf(execute())).toBe(id);
  });

  it('waits while another command executes the quote', async () => {
    const { id } = await quote();
    let goOn = (): void => undefined;
    const posting = new Promise<void>(
      (posted) => (service.ledger.before = () => new Promise((go) => ((goOn = go), posted()))),
    );
    const executed = verdictOf(execute());
    await posting;
    expect(await verdictOf(dryRun({}, 300))).toBe('unavailable');
    const tried = verdictOf(dryRun());
    goOn();
    expect([await executed, await tried]).toEqual([id, 'quote_used']);
  });
});

describe('after an attempt whose outcome is unknown, a dry run says what the swap will say', () => {
  it('when it was posted', async () => {
    await quote();
    service.ledger.after = () => new Promise((later) => setTimeout(later, 600));
    expect(await verdictOf(execute({}, 300))).toBe('unavailable');
    service.ledger.after = () => undefined;
    expect(service.ledger.posted.size).toBe(1);
    service.ledger.before = refusing('insufficient_funds');
    expect(await verdictsOf()).toEqual(both('quote_used'));
  });

  it.each<[string, string, Refusal['code'] | undefined, string]>([
    ['not posted and would be now', '', undefined, 'quote_used'],
    ['not posted and would not be now', '', 'insufficient_funds', 'insufficient_funds'],
    [
      'not posted, and has expired',
      `, expires_at = now() - interval '11 minutes'`,
      'insufficient_funds',
      'quote_expired',
    ],
  ])('when it was %s', async (_what, assignments, refused, verdict) => {
    const { id } = await quote();
    const claim = `state = 'claimed', claim_command_id = '${randomUUID()}', claim_input_hash = '${'0'.repeat(64)}'`;
    const ended = `claim_shard = ${service.ledger.shard}, claim_attempt = 1, running_until = now() - interval '1 s'`;
    await set(`${claim}, ${ended}${assignments}`, id);
    if (refused) service.ledger.before = refusing(refused);
    expect(await verdictsOf()).toEqual(both(verdict));
  });
});
