import { randomUUID } from 'node:crypto';
import { ICommand } from '@nestjs/cqrs';
import { CreateQuote } from '@stablecoin/contracts/swap/create-quote';
import { ExecutedSwap, ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { GetPrice } from '@stablecoin/contracts/swap/get-price';
import { GetSwap } from '@stablecoin/contracts/swap/get-swap';
import { RefreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { SwapQuoteView } from '@stablecoin/contracts/swap/views';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { Client } from 'pg';
import { SwapExecution } from './swap-execution';
import { RateSource } from '../rates/rate-source';
import { RunningSwapPricing, startSwapPricing } from '../testing/running-service';

let service: RunningSwapPricing;
let owner: Client;
let merchant: string;
const amount = '10';
const pair = { from_currency: 'USDT', to_currency: 'NGN' } as const;

beforeAll(async () => {
  service = await startSwapPricing();
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
});

beforeEach(() => {
  merchant = randomUUID();
  service.ledger.posted.clear();
  service.ledger.requests = 0;
  service.ledger.before = service.ledger.after = () => undefined;
});

afterAll(async () => {
  await owner.end();
  await service.stop();
});

async function quote(over: Partial<CreateQuote> = {}): Promise<SwapQuoteView> {
  const command = Object.assign(new CreateQuote(), commandOf({ merchant_id: merchant, ...pair, amount, ...over }));
  return (await service.commands.execute<CreateQuote, CommandReply<SwapQuoteView>>(command)).result;
}

function execution(over: Partial<ExecuteSwap> = {}): ExecuteSwap {
  const { command_id, ...body } = over;
  const terms = { merchant_id: merchant, ...pair, amount, shard: service.ledger.shard, ...body };
  return Object.assign(new ExecuteSwap(), commandOf(terms, command_id));
}

/** Executes a swap with a deadline, like a request from the gateway. */
function execute(command = execution(), withinMs = 5_000): Promise<CommandReply<ExecutedSwap>> {
  return withRequestContext({ requestId: 'spec', deadline: Date.now() + withinMs }, () =>
    service.commands.execute<ExecuteSwap, CommandReply<ExecutedSwap>>(command),
  );
}

function refresh(id: string, over: Partial<RefreshQuote> = {}): Promise<CommandReply<SwapQuoteView>> {
  const body = { merchant_id: merchant, swap_id: id, ...pair, from_amount: amount, ...over };
  return service.commands.execute(Object.assign(new RefreshQuote(), commandOf(body)));
}

const look = (id: string): Promise<SwapQuoteView> =>
  service.queries.execute(Object.assign(new GetSwap(), { merchant_id: merchant, swap_id: id }));
const expire = (id: string) => owner.query(`UPDATE quotes SET expires_at = now() - interval '1 s' WHERE id = $1`, [id]);
const refuses = (code: Refusal['code']): unknown => expect.objectContaining({ code });

describe('quotes', () => {
  it('are printed with the price that was used', async () => {
    const made = await quote({ amount: '10.5' });
    expect(made).toMatchObject({
      from_amount: '10.50000000',
      to_amount: '16113.46000000',
      quoted_price: '1534.615384615384',
    });
    expect(made).toMatchObject({ quoted_currency: 'NGN', confirmed: false, customer_id: null });
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(60_000);
    await expect(look(made.id)).resolves.toEqual(made);
  });

  it('are made once per command', async () => {
    const command = Object.assign(new CreateQuote(), commandOf({ merchant_id: merchant, ...pair, amount }));
    const first = await service.commands.execute<CreateQuote, CommandReply<SwapQuoteView>>(command);
    await expect(service.commands.execute(command)).resolves.toEqual({ result: first.result, replayed: true });
    const changed = Object.assign(new CreateQuote(), command, { input_hash: '0'.repeat(64) });
    await expect(service.commands.execute(changed)).rejects.toEqual(refuses('idempotency_key_reused'));
  });

  it('keep their result when there is no longer a price, and are not made without one', async () => {
    const command = Object.assign(new CreateQuote(), commandOf({ merchant_id: merchant, ...pair, amount }));
    const first = await service.commands.execute<CreateQuote, CommandReply<SwapQuoteView>>(command);
    const rates = service.app.get(RateSource);
    const currentBook = rates.currentBook.bind(rates);
    rates.currentBook = () => Promise.reject(new Refusal('unavailable'));
    await expect(service.commands.execute(command)).resolves.toEqual({ result: first.result, replayed: true });
    await expect(quote()).rejects.toEqual(refuses('unavailable'));
    rates.currentBook = currentBook;
  });

  it.each([
    ['made', CreateQuote, { amount }],
    ['refreshed', RefreshQuote, { from_amount: amount }],
  ] as const)('are not %s against an objection, but keep their result', async (_how, type, terms) => {
    const { id } = await quote();
    const fields = commandOf({ merchant_id: merchant, ...pair, ...terms, swap_id: id });
    const send = (objection?: 'customer_closed') =>
      service.commands.execute<ICommand, CommandReply<SwapQuoteView>>(Object.assign(new type(), fields, { objection }));
    await expect(send('customer_closed')).rejects.toEqual(refuses('customer_closed'));
    const { result } = await send();
    await expect(send('customer_closed')).resolves.toEqual({ result, replayed: true });
  });

  it('are seen by their merchant only', async () => {
    const made = await quote();
    const otherMerchant = Object.assign(new GetSwap(), { merchant_id: randomUUID(), swap_id: made.id });
    await expect(service.queries.execute(otherMerchant)).rejects.toEqual(refuses('not_found'));
  });

  it('are refreshed under the same id, also when expired', async () => {
    const made = await quote();
    await expire(made.id);
    await expect(execute()).rejects.toEqual(refuses('quote_expired'));
    const { result } = await refresh(made.id, { from_amount: '10.00' });
    expect(result).toMatchObject({
      id: made.id,
      from_amount: made.from_amount,
      confirmed: false,
      created_at: made.created_at,
    });
    expect(Date.parse(result.expires_at)).toBeGreaterThan(Date.now());
    await expect(execute()).resolves.toMatchObject({ result: { swap_id: made.id } });
  });

  it.each([
    ['another amount', { from_amount: '11' }, 'quote_mismatch'],
    ['another currency', { to_currency: 'GBP' }, 'quote_mismatch'],
    ['another owner', { customer_id: randomUUID() }, 'not_found'],
    ['another merchant', { merchant_id: randomUUID() }, 'not_found'],
  ] as const)('are not refreshed for %s', async (_case, over, code) => {
    const made = await quote();
    await expect(refresh(made.id, over)).rejects.toEqual(refuses(code));
  });
});

describe('executing', () => {
  it('posts the quote as it was promised, and uses it', async () => {
    const made = await quote();
    const { result, replayed } = await execute();
    expect({ swap_id: result.swap_id, replayed }).toEqual({ swap_id: made.id, replayed: false });
    const sent = service.ledger.posted.get(derivedUuid(`post-swap:${made.id}`))?.request;
    expect(sent).toMatchObject({
      from_amount: made.from_amount,
      to_amount: made.to_amount,
      quoted_price: made.quoted_price,
    });
    expect((await look(made.id)).confirmed).toBe(true);
    await expect(execute()).rejects.toEqual(refuses('quote_used'));
    await expect(refresh(made.id)).rejects.toEqual(refuses('quote_used'));
  });

  it('is refused with an objection, unless it took effect before', async () => {
    await quote();
    const command = execution();
    const objected = Object.assign(new ExecuteSwap(), command, { objection: 'customer_closed' });
    await expect(execute(objected)).rejects.toEqual(refuses('customer_closed'));
    const { result } = await execute(command);
    await expect(execute(objected)).resolves.toEqual({ result, replayed: true });
  });

  it('takes the most recently created or refreshed open quote', async () => {
    const [first, second] = [await quote(), await quote()];
    await refresh(first.id);
    const order = [await execute(), await execute()].map(({ result }) => result.swap_id);
    expect(order).toEqual([first.id, second.id]);
    await expect(execute()).rejects.toEqual(refuses('quote_used'));
  });

  it('takes the quote that is named, but none of another owner', async () => {
    const [first] = [await quote(), await quote()];
    await expect(execute(execution({ quote_id: first.id }))).resolves.toMatchObject({ result: { swap_id: first.id } });
    const other = execution({ quote_id: first.id, customer_id: randomUUID() });
    await expect(execute(other)).rejects.toEqual(refuses('not_found'));
    await expect(execute(execution({ amount: '12' }))).rejects.toEqual(refuses('quote_required'));
  });

  it('happens once, however many commands arrive at once', async () => {
    await quote();
    service.ledger.before = () => new Promise((later) => setTimeout(later, 50));
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => execute()));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    expect(refused).toEqual(Array(19).fill('quote_used'));
    expect(service.ledger.requests).toBe(1);
  });

  it('gives one answer to one command that arrives many times, with two quotes to choose from', async () => {
    await Promise.all([quote(), quote()]);
    service.ledger.before = () => new Promise((later) => setTimeout(later, 50));
    const command = execution();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => execute(command)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    expect(refused).toEqual(Array(9).fill('idempotency_in_flight'));
    expect(service.ledger.posted.size).toBe(1);
    await expect(execute(command)).resolves.toMatchObject({ replayed: true });
    const changed = { ...command, input_hash: '0'.repeat(64) };
    await expect(execute(Object.assign(new ExecuteSwap(), changed))).rejects.toEqual(refuses('idempotency_key_reused'));
  });

  it.each(['insufficient_funds', 'wallet_not_found', 'customer_closed', 'quote_expired'] as const)(
    'leaves the quote open when the ledger says %s',
    async (code) => {
      const made = await quote();
      const command = execution();
      service.ledger.before = () => {
        throw new Refusal(code);
      };
      await expect(execute(command)).rejects.toEqual(refuses(code));
      service.ledger.before = () => undefined;
      expect((await look(made.id)).confirmed).toBe(false);
      await expect(execute(command)).resolves.toMatchObject({ result: { swap_id: made.id }, replayed: false });
    },
  );
});

describe('prices for a live merchant', () => {
  const ask = (over: object) => service.queries.execute(Object.assign(new GetPrice(), { ...pair, ...over }));

  it('are none of the static book’s, where a test merchant gets them', async () => {
    await expect(quote({ key_mode: 'live' })).rejects.toEqual(refuses('unavailable'));
    await expect(ask({ key_mode: 'live' })).rejects.toEqual(refuses('unavailable'));
    const { id } = await quote({ key_mode: 'test' });
    await expect(refresh(id, { key_mode: 'live' })).rejects.toEqual(refuses('unavailable'));
    await expect(refresh(id, { key_mode: 'test' })).resolves.toMatchObject({ result: { id } });
    await expect(ask({ key_mode: 'test' })).resolves.toMatchObject({ price: expect.any(String) });
  });

  it('are the static book’s where an operator has said so', async () => {
    const demonstration = await startSwapPricing({ STATIC_RATES_FOR_LIVE: 'true' });
    try {
      const live = Object.assign(new GetPrice(), { ...pair, key_mode: 'live' });
      await expect(demonstration.queries.execute(live)).resolves.toMatchObject({ price: expect.any(String) });
    } finally {
      await demonstration.stop();
    }
  });
});

describe('an unknown outcome', () => {
  /** The ledger posts the swap, its reply is lost, and the request ends. */
  async function loseReply(command: ExecuteSwap): Promise<void> {
    service.ledger.after = () => new Promise((later) => setTimeout(later, 600));
    await expect(execute(command, 300)).rejects.toEqual(refuses('unavailable'));
    service.ledger.after = () => undefined;
  }

  it('is found out by the same command', async () => {
    const made = await quote();
    const command = execution();
    await loseReply(command);
    await expect(execute(command)).resolves.toMatchObject({ result: { swap_id: made.id }, replayed: true });
    expect(service.ledger.posted.size).toBe(1);
  });

  it('is found out by another command, and the first one still gets its result', async () => {
    const made = await quote();
    const first = execution();
    await loseReply(first);
    await expect(execute()).rejects.toEqual(refuses('quote_used'));
    await expect(execute(first)).resolves.toMatchObject({ result: { swap_id: made.id }, replayed: true });
    expect(service.ledger.posted.size).toBe(1);
  });

  it('is found out before a refresh changes the promised terms', async () => {
    const made = await quote();
    await loseReply(execution());
    await expect(refresh(made.id)).rejects.toEqual(refuses('quote_used'));
  });

  it('that was a refusal leaves the quote to the next command', async () => {
    const made = await quote();
    service.ledger.before = async () => {
      if (service.ledger.requests === 1) await new Promise((later) => setTimeout(later, 400));
      if (service.ledger.requests <= 2) throw new Refusal('insufficient_funds');
    };
    await expect(execute(execution(), 200)).rejects.toEqual(refuses('unavailable'));
    await expect(execute()).resolves.toMatchObject({ result: { swap_id: made.id }, replayed: false });
  });

  it('that another attempt took over is not opened again by the refusal of the earlier attempt', async () => {
    const made = await quote();
    await loseReply(execution());
    const { rows } = await owner.query('SELECT *, from_amount::text, quoted_price::text FROM quotes WHERE id = $1', [
      made.id,
    ]);
    service.ledger.posted.clear();
    service.ledger.before = () => {
      throw new Refusal('insufficient_funds');
    };
    const late = { ...rows[0], claim_attempt: rows[0].claim_attempt - 1 };
    await expect(service.app.get(SwapExecution).finish(late)).rejects.toEqual(refuses('unavailable'));
    const after = await owner.query('SELECT state FROM quotes WHERE id = $1', [made.id]);
    expect(after.rows).toEqual([{ state: 'claimed' }]);
  });

  it('of a process that died is in flight until its deadline, then taken over', async () => {
    const made = await quote();
    const command = execution();
    await owner.query(
      `UPDATE quotes SET state = 'claimed', claim_command_id = $2, claim_input_hash = $3, claim_shard = $4, claim_attempt = 1,
         running_until = clock_timestamp() + interval '500 ms' WHERE id = $1`,
      [made.id, command.command_id, command.input_hash, command.shard],
    );
    await expect(execute(command)).rejects.toEqual(refuses('idempotency_in_flight'));
    await expect(execute(execution(), 200)).rejects.toEqual(refuses('unavailable'));
    await new Promise((later) => setTimeout(later, 400));
    await expect(execute(command)).resolves.toMatchObject({ result: { swap_id: made.id }, replayed: false });
  });
});

describe('the fact that a swap was settled', () => {
  it('uses the quote, and a later retry still gets the result', async () => {
    const made = await quote();
    const command = execution();
    service.ledger.after = () => new Promise((later) => setTimeout(later, 600));
    await expect(execute(command, 300)).rejects.toEqual(refuses('unavailable'));
    service.ledger.after = () => undefined;
    const stream = await LedgerStream.open(service.connection, service.codec);
    await stream.ensure();
    const position = Date.now() % 1_000_000_000;
    await stream.publish([settled(made.id, position), settled(made.id, position + 1)]);
    await eventually('the quote is used', async () => (await look(made.id)).confirmed);
    await eventually('both facts are in the inbox', async () => (await inbox()).length === 2);
    await expect(execute(command)).resolves.toMatchObject({ result: { swap_id: made.id }, replayed: true });
    expect(service.ledger.posted.size).toBe(1);
  });

  const inbox = async () => (await owner.query('SELECT * FROM inbox WHERE shard = $1', [service.ledger.shard])).rows;

  function settled(quoteId: string, position: number): LedgerFact {
    const leg = {
      id: randomUUID(),
      transaction_id: 'ABCDEFGHIJ',
      reference_id: quoteId,
      transaction_type: 'INTERNAL TRANSFER',
      transaction_mode: 'DEBIT',
      network: null,
      bank_code: null,
      recipient_currency: null,
      sealed_destination: null,
      currency: 'USDT',
      amount: '10.00000000',
      status: 'COMPLETED',
      wallet_id: randomUUID(),
    } as const;
    return {
      shard: service.ledger.shard,
      position,
      movement: 'swap-settled',
      recorded_at: new Date().toISOString(),
      merchant_id: merchant,
      customer_id: null,
      transactions: [leg, { ...leg, transaction_mode: 'CREDIT', currency: 'NGN' }],
    };
  }
});
