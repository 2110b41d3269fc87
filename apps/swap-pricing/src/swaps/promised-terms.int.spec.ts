import { randomUUID } from 'node:crypto';
import { CreateQuote } from '@stablecoin/contracts/swap/create-quote';
import { DryRunExecuteSwap } from '@stablecoin/contracts/swap/dry-run-execute-swap';
import { ExecutedSwap, ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { RefreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { SwapQuoteView } from '@stablecoin/contracts/swap/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { RunningSwapPricing, startSwapPricing } from '../testing/running-service';

let service: RunningSwapPricing;
let owner: Client;
let login: Client;
let merchant: string;
const pair = { from_currency: 'USDT', to_currency: 'NGN' } as const;

beforeAll(async () => {
  service = await startSwapPricing();
  [owner, login] = [service.database.ownerUrl, service.database.url].map(
    (connectionString) => new Client({ connectionString }),
  ) as [Client, Client];
  await Promise.all([owner.connect(), login.connect()]);
});
beforeEach(() => {
  merchant = randomUUID();
  service.ledger.posted.clear();
});
afterAll(async () => {
  await Promise.all([owner.end(), login.end()]);
  await service.stop();
});

async function quote(): Promise<SwapQuoteView> {
  const command = Object.assign(new CreateQuote(), commandOf({ merchant_id: merchant, ...pair, amount: '10' }));
  return (await service.commands.execute<CreateQuote, CommandReply<SwapQuoteView>>(command)).result;
}
const terms = (over: object = {}) => ({
  merchant_id: merchant,
  ...pair,
  amount: '10',
  shard: service.ledger.shard,
  ...over,
});
const execution = (over: object = {}) => Object.assign(new ExecuteSwap(), commandOf(terms(over)));
const verdictOf = (work: Promise<unknown>) =>
  work.then(
    () => 'taken',
    (error: { code?: string }) => error.code,
  );
const execute = (command = execution()) =>
  verdictOf(service.commands.execute<ExecuteSwap, CommandReply<ExecutedSwap>>(command));
const dryRun = () => verdictOf(service.commands.execute(Object.assign(new DryRunExecuteSwap(), commandOf(terms()))));
const refresh = (swap_id: string) => {
  const body = { merchant_id: merchant, swap_id, ...pair, from_amount: '10' };
  return verdictOf(service.commands.execute(Object.assign(new RefreshQuote(), commandOf(body))));
};
const set = (assignments: string, id: string, by = login) =>
  by.query(`UPDATE quotes SET ${assignments} WHERE id = $1`, [id]);
const RAISED =
  'quoted_price = trunc(quoted_price * 1.19, 6), to_amount = trunc(from_amount * trunc(quoted_price * 1.19, 6), 2)';
const CLAIMED = `state = 'claimed', claim_command_id = gen_random_uuid(), claim_input_hash = repeat('0', 64), claim_attempt = 1`;

describe("a quote that the service's login has changed", () => {
  it.each([
    ['its price and what it gives', RAISED],
    ['its end', `expires_at = '2999-01-01'`],
    ['all of it, and without a MAC', `${RAISED}, expires_at = '2999-01-01', terms_mac = NULL`],
  ])('in %s, is executed no more until it is refreshed', async (_what, assignments) => {
    const { id } = await quote();
    await set(assignments, id);
    expect(await dryRun()).toBe('quote_expired');
    expect(await execute()).toBe('quote_expired');
    expect(await execute(execution({ quote_id: id }))).toBe('quote_expired');
    expect((await owner.query('SELECT state FROM quotes WHERE id = $1', [id])).rows).toEqual([{ state: 'open' }]);
    expect(service.ledger.posted.size).toBe(0);
    expect(await refresh(id)).toBe('taken');
    expect(await execute()).toBe('taken');
  });

  it('into one that is being executed, is not executed either', async () => {
    const { id } = await quote();
    await set(`${RAISED}, ${CLAIMED}, claim_shard = ${service.ledger.shard}, running_until = now()`, id);
    expect(await dryRun()).toBe('unavailable');
    expect(await execute()).toBe('unavailable');
    expect(service.ledger.posted.size).toBe(0);
  });

  it('from another one, or written of its own, is none', async () => {
    const { id } = await quote();
    await set(`state = 'used'`, id);
    await login.query(
      `INSERT INTO quotes SELECT (json_populate_record(quotes, json_build_object('id', gen_random_uuid(), 'state', 'open'))).*
       FROM quotes WHERE id = $1`,
      [id],
    );
    expect(await execute()).toBe('quote_expired');
  });
});

describe('a quote of the version before, which has no MAC,', () => {
  it('is executed while that version may be at work, and no longer', async () => {
    const { id } = await quote();
    await set('terms_mac = NULL', id, owner);
    expect(await execute()).toBe('quote_expired');
    await owner.query(`INSERT INTO quotes_without_mac (taken_until) VALUES (now() + interval '1 day')`);
    expect(await dryRun()).toBe('taken');
    expect(await execute()).toBe('taken');
    await owner.query('DELETE FROM quotes_without_mac');
  });

  it("is none for which the service's login can lengthen that time", async () => {
    await expect(
      login.query(`INSERT INTO quotes_without_mac (taken_until) VALUES (now() + interval '1 day')`),
    ).rejects.toThrow('permission denied');
  });

  it('has its end asked for when the ledger posts nothing under it any more', async () => {
    const { id } = await quote();
    const old = `terms_mac = NULL, expires_at = now() - interval '11 minutes'`;
    await set(`${old}, ${CLAIMED}, claim_shard = ${service.ledger.shard}, running_until = now()`, id, owner);
    expect(await execute()).toBe('quote_used');
    expect(service.ledger.posted.size).toBe(1);
  });
});
