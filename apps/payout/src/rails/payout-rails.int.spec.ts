import { randomBytes, randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { payoutReference } from '@stablecoin/contracts/payout/rail-references';
import { SimulatedOutcome, SimulatePayoutOutcome } from '@stablecoin/contracts/payout/simulate-payout-outcome';
import { TransactionStatus, TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { commandOf } from '@stablecoin/testing/command-of';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { PayoutConfiguration } from '../payout.configuration';
import { PayoutModule } from '../payout.module';
import { payoutsInFact } from '../payout-process/accepted-payout';
import { PayoutStore } from '../payout-process/payout-store';
import { ProcessWorker } from '../payout-process/process-worker';
import { PayoutDatabase } from '../persistence/payout-database';
import { ChainStandIn } from '../testing/chain-stand-in';
import { COMMAND_KEY, RunningPayout, startPayout } from '../testing/running-service';
import { SandboxRail } from './sandbox-rail';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const CHAINS = { PAYOUT_RAIL_ERC20: 'evm', PAYOUT_RAIL_BEP20: 'evm', PAYOUT_RAIL_POLYGON: 'evm' };
const ALL_SANDBOX = { payoutRailErc20: 'sandbox', payoutRailBep20: 'sandbox', payoutRailPolygon: 'sandbox' } as const;
const ALL_EVM = { payoutRailErc20: 'evm', payoutRailBep20: 'evm', payoutRailPolygon: 'evm' } as const;

let nats: OwnNats;
let service: RunningPayout;
let chain: ChainStandIn;
let owner: Client;

async function start(environment: NodeJS.ProcessEnv): Promise<void> {
  nats = await startOwnNats();
  const settings = { NATS_URL: nats.url, SANDBOX_SETTLE_MS: '100', ...environment };
  service = await startPayout({ imports: [PayoutModule] }, settings);
  chain = await ChainStandIn.start(service.connection, service.codec);
  owner = new Client({ connectionString: service.database.ownerUrl });
  await owner.connect();
}

async function stop(): Promise<void> {
  await owner.end();
  await service.stop();
  await nats.stop();
}

const liveMerchant = () => `11fe0000${randomUUID().slice(8)}`;
const toChain = (recipient_name: string | null = null) => ({
  kind: 'wallet' as const,
  address: ADDRESS,
  recipient_name,
});
const hash = () => `0x${randomBytes(32).toString('hex')}`;

function accepted(over: Partial<TransactionView> = {}, recipient: string | null = null) {
  return service.ledger.accept(toChain(recipient), { network: 'erc20', bank_code: null, ...over });
}

async function payOut(over: Partial<TransactionView> = {}, recipient: string | null = null): Promise<string> {
  const { id, fact } = accepted(over, recipient);
  await service.ledger.publish(fact);
  return id;
}

const bookOf = async (id: string) => (await owner.query('SELECT * FROM payouts WHERE id = $1', [id])).rows[0];
const sandboxHas = async (id: string): Promise<boolean> =>
  (await owner.query('SELECT 1 FROM sandbox_rail WHERE reference = $1 AND NOT declined', [payoutReference(id)]))
    .rowCount === 1;
const ordersOf = (id: string) => chain.orders.filter(({ reference }) => reference === payoutReference(id));
const isOrdered = (id: string) => eventually('the chain has its order', () => ordersOf(id).length > 0);
const becomes = (id: string, status: TransactionStatus) =>
  eventually(`payout ${status}`, () => service.ledger.statusOf(id) === status);
const move = (id: string, changes: Partial<TransferView>) => chain.move(payoutReference(id), changes);
const bookSays = (id: string, expected: object) =>
  eventually(`the book says ${JSON.stringify(expected)}`, async () => {
    const row = await bookOf(id);
    return Object.entries(expected).every(([name, value]) => row?.[name] === value);
  });
/** As an operator who changes it, and starts the service again. */
const configure = (changes: Partial<PayoutConfiguration>) =>
  Object.assign(service.app.get(PayoutConfiguration), changes);
const dueNow = async (id: string) => {
  await owner.query('UPDATE payouts SET next_step_at = now() WHERE id = $1', [id]);
  service.app.get(ProcessWorker).wake();
};

function tell(id: string, outcome: SimulatedOutcome, name = id): Promise<CommandReply<TransactionView>> {
  const { merchant_id } = service.ledger.transactions.get(id) as TransactionView;
  return execute({ merchant_id, transaction: name, outcome, shard: service.ledger.shard });
}

const execute = (
  body: Pick<SimulatePayoutOutcome, 'merchant_id' | 'transaction' | 'outcome' | 'shard'>,
): Promise<CommandReply<TransactionView>> =>
  service.app.get(CommandBus).execute(Object.assign(new SimulatePayoutOutcome(), commandOf(body)));

/** A payout that is stored and, for now, not taken: as by an instance that is about to. */
async function storedOnly(over: Partial<TransactionView> = {}): Promise<string> {
  const { id, fact } = accepted(over);
  await service.app.get(PayoutDatabase).$transaction(async (sql) => {
    await service.app.get(PayoutStore).accept(sql, payoutsInFact(fact));
    await sql.$executeRaw`UPDATE payouts SET next_step_at = now() + interval '1 minute' WHERE id = ${id}::uuid`;
  });
  return id;
}

/** As the signer wants it: by this service's key, over the terms. */
function signedOrder({ mode: _, ...terms }: { mode: string; to: string; reference: string } & OrderTerms) {
  const secret = new CallerSecret('payout', COMMAND_KEY);
  const { text, signature } = signEvidence(secret, { type: 'transfer-order', ...terms, to: terms.to.toLowerCase() });
  return { order: text, order_signature: signature };
}
type OrderTerms = Record<'network' | 'currency' | 'amount', string>;

describe('payouts of live merchants to a chain', () => {
  beforeAll(() => start(CHAINS));
  afterAll(stop);

  it('are asked for soon at first, then ever less often, as long as none has ended', async () => {
    const id = await payOut({ merchant_id: liveMerchant() });
    await bookSays(id, { state: 'submitted' });
    const untilNext = async () => (await bookOf(id)).next_step_at.getTime() - (await bookOf(id)).updated_at.getTime();
    expect(await untilNext()).toBeLessThan(1_000);
    for (const [ageMs, pauseMs] of [
      [12_000, 3_000],
      [3_600_000, 10_000],
    ] as const) {
      const before = (await bookOf(id)).updated_at as Date;
      move(id, { created_at: new Date(Date.now() - ageMs).toISOString() });
      await dueNow(id);
      await eventually('it was asked for', async () => (await bookOf(id)).updated_at > before);
      expect(Math.abs((await untilNext()) - pauseMs)).toBeLessThan(500);
    }
  });

  it.each(['erc20', 'bep20', 'polygon'] as const)(
    'on %s are ordered once, and end as the chain says',
    async (network) => {
      const id = await payOut({ merchant_id: liveMerchant(), network });
      await isOrdered(id);
      const order = {
        reference: payoutReference(id),
        network,
        currency: 'USDT',
        to: ADDRESS,
        amount: '10.00000000',
        mode: 'live',
      };
      expect(ordersOf(id)).toEqual([{ ...order, ...signedOrder(order) }]);
      const [first, mined] = [hash(), hash()];
      move(id, { state: 'sent', transaction_hash: first });
      await bookSays(id, { state: 'submitted', route: 'evm', rail_reference: first });
      expect(service.ledger.statusOf(id)).toBe('PENDING');
      // Replaced by one with a higher fee: either may be mined.
      move(id, { transaction_hash: mined });
      await bookSays(id, { rail_reference: mined });
      move(id, { state: 'completed', transaction_hash: first });
      await becomes(id, 'COMPLETED');
      await bookSays(id, { state: 'completed', rail_reference: first, next_step_at: null });
      expect(service.ledger.outcomesOf(id)).toEqual(['COMPLETED ok']);
      expect(service.ledger.transactions.get(id)?.fiat_reference_id).toBe(first);
      expect([ordersOf(id).length, await sandboxHas(id)]).toEqual([1, false]);
    },
  );

  it.each([['cancelled', null] as const, ['reverted', hash()] as const])(
    'fail where they are %s',
    async (failure, reference) => {
      const id = await payOut({ merchant_id: liveMerchant() });
      await isOrdered(id);
      move(id, { state: 'failed', failure, transaction_hash: reference });
      await becomes(id, 'FAILED');
      await bookSays(id, { state: 'failed', rail_reference: reference, next_step_at: null });
      expect(service.ledger.transactions.get(id)?.fiat_reference_id).toBe(reference);
    },
  );

  it('keep the hash of a transfer that failed, where the ledger’s fact comes before its answer', async () => {
    const id = await payOut({ merchant_id: liveMerchant() });
    await isOrdered(id);
    service.ledger.beforeAnswer = (resolved) => bookSays(resolved, { state: 'failed' });
    const reverted = hash();
    move(id, { state: 'failed', failure: 'reverted', transaction_hash: reverted });
    await bookSays(id, { state: 'failed', rail_reference: reverted, next_step_at: null });
    service.ledger.beforeAnswer = () => Promise.resolve();
  });

  it('are not ordered again where the answer to the order is lost', async () => {
    chain.lostAnswers = 1;
    const id = await payOut({ merchant_id: liveMerchant() });
    await bookSays(id, { state: 'submitted' });
    expect(ordersOf(id)).toHaveLength(1);
    expect(chain.lookedUp).toContain(payoutReference(id));
  });

  it('are not ordered again where the chain service has lost what it took: they may be paid', async () => {
    const id = await payOut({ merchant_id: liveMerchant() });
    await bookSays(id, { state: 'submitted' });
    chain.transfers.delete(payoutReference(id));
    await dueNow(id);
    await eventually('it was tried', async () => (await bookOf(id)).attempts > 0);
    expect(ordersOf(id)).toHaveLength(1);
    expect(service.ledger.outcomesOf(id)).toEqual([]);
  });

  it('are refused where their network is no chain, and not held up by a name of the sandbox’s', async () => {
    const tron = await payOut({ merchant_id: liveMerchant(), network: 'trc20' });
    const named = await payOut({ merchant_id: liveMerchant() }, 'sandbox:fail');
    await becomes(tron, 'FAILED');
    await isOrdered(named);
    expect([ordersOf(tron).length, await sandboxHas(tron), await sandboxHas(named)]).toEqual([0, false, false]);
  });

  it('of test merchants go by the sandbox’s rail: what they were given is worth nothing', async () => {
    const id = await payOut();
    await becomes(id, 'COMPLETED');
    expect([ordersOf(id).length, await sandboxHas(id), (await bookOf(id)).route]).toEqual([0, true, null]);
  });
});

describe('payouts of test merchants where the coins of chains are worth nothing', () => {
  beforeAll(() => start({ ...CHAINS, EVM_RAIL_FOR_TEST: 'true' }));
  afterAll(stop);

  it('go over the chains, but for those to the sandbox’s recipients', async () => {
    const id = await payOut();
    await isOrdered(id);
    for (const [recipient, end] of [
      ['sandbox:fail', 'FAILED'],
      ['sandbox:return', 'REVERSED'],
    ] as const) {
      const special = await payOut({}, recipient);
      await becomes(special, end);
      expect(ordersOf(special)).toEqual([]);
    }
    const tron = await payOut({ network: 'trc20' });
    await becomes(tron, 'COMPLETED');
    expect(await sandboxHas(tron)).toBe(true);
  });

  it.each(['complete', 'fail', 'return'] as const)('are not told to %s: the chain says', async (outcome) => {
    const id = await payOut();
    await isOrdered(id);
    await expect(tell(id, outcome)).rejects.toMatchObject({ code: 'invalid_transition' });
    move(id, { state: 'completed', transaction_hash: hash() });
    await becomes(id, 'COMPLETED');
    await expect(tell(id, outcome)).rejects.toMatchObject({ code: 'invalid_transition' });
    expect(service.ledger.outcomesOf(id)).toEqual(['COMPLETED ok']);
  });

  it('to one who is held end by hand, before or after the fact of them', async () => {
    const id = await payOut({}, 'sandbox:hold');
    await bookSays(id, { state: 'submitted' });
    expect((await tell(id, 'complete')).result.status).toBe('COMPLETED');
    expect((await tell(id, 'return')).result.status).toBe('REVERSED');

    const late = accepted({}, 'sandbox:hold');
    const told = tell(late.id, 'fail');
    await service.ledger.publish(late.fact);
    expect((await told).result.status).toBe('FAILED');
    const unknown = { merchant_id: randomUUID(), transaction: randomUUID(), shard: service.ledger.shard };
    await expect(execute({ ...unknown, outcome: 'fail' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('that were told their outcome before any rail took them go over no chain', async () => {
    const store = service.app.get(PayoutStore);
    const id = await storedOnly();
    await expect(tell(id, 'return')).rejects.toMatchObject({ code: 'invalid_transition' });
    expect(await sandboxHas(id)).toBe(false);
    expect((await tell(id, 'complete')).result.status).toBe('COMPLETED');
    expect([await store.routeToChain(id), await sandboxHas(id)]).toEqual([null, true]);
  });
});

describe('a payout whose network is given another rail meanwhile', () => {
  beforeAll(() => start({ ...CHAINS, EVM_RAIL_FOR_TEST: 'true' }));
  afterEach(() => configure(ALL_EVM));
  afterAll(stop);

  it('stays on the chain that has it', async () => {
    const id = await payOut();
    await bookSays(id, { state: 'submitted', route: 'evm' });
    configure(ALL_SANDBOX);
    await dueNow(id);
    move(id, { state: 'completed', transaction_hash: hash() });
    await becomes(id, 'COMPLETED');
    expect([ordersOf(id).length, await sandboxHas(id)]).toEqual([1, false]);
  });

  it('goes to the chain that it was given to, if the order had not come so far', async () => {
    const id = await payOut();
    await bookSays(id, { state: 'submitted', route: 'evm' });
    chain.transfers.delete(payoutReference(id));
    await owner.query("UPDATE payouts SET state = 'submitting' WHERE id = $1", [id]);
    configure(ALL_SANDBOX);
    await dueNow(id);
    await eventually('it is ordered again', () => ordersOf(id).length === 2);
    expect(await sandboxHas(id)).toBe(false);
  });

  it('stays with the sandbox’s rail that has it', async () => {
    configure(ALL_SANDBOX);
    const id = await payOut({}, 'sandbox:hold');
    await bookSays(id, { state: 'submitted', route: null });
    const asked = chain.lookedUp.length;
    configure(ALL_EVM);
    await owner.query("UPDATE sandbox_rail SET outcome = 'complete', settles_at = now() WHERE reference = $1", [
      payoutReference(id),
    ]);
    await dueNow(id);
    await becomes(id, 'COMPLETED');
    expect([ordersOf(id).length, chain.lookedUp.length]).toEqual([0, asked]);
  });

  it('goes by the new one, where the old one never had it', async () => {
    configure(ALL_SANDBOX);
    const taking = jest.spyOn(service.app.get(SandboxRail), 'submit').mockRejectedValue(new Error('it was away'));
    const id = await payOut();
    await eventually('it was tried', () => taking.mock.calls.length > 0);
    configure(ALL_EVM);
    await isOrdered(id);
    taking.mockRestore();
    expect([await sandboxHas(id), (await bookOf(id)).route]).toEqual([false, 'evm']);
  });

  it('is taken by one of two rails, if two instances bring it to both at once', async () => {
    const [store, sandbox] = [service.app.get(PayoutStore), service.app.get(SandboxRail)];
    const ends = new Set<string>();
    for (let round = 0; round < 30; round++) {
      const { id, fact } = accepted();
      await service.app.get(PayoutDatabase).$transaction(async (sql) => {
        await store.accept(sql, payoutsInFact(fact));
        await sql.$executeRaw`UPDATE payouts SET next_step_at = NULL WHERE id = ${id}::uuid`;
      });
      const common = { rail: 'wallet', network: 'erc20', bankCode: null, recipientCurrency: null } as const;
      const payout = { ...common, reference: payoutReference(id), currency: 'USDT', amount: '10' } as const;
      const toSandbox = () => sandbox.submit({ ...payout, destination: toChain(), isLive: false }).catch(() => null);
      const toTheChain = () => store.routeToChain(id);
      const both = round % 2 ? [toSandbox(), toTheChain(), toTheChain()] : [toTheChain(), toTheChain(), toSandbox()];
      await Promise.all(both);
      const { route } = await bookOf(id);
      expect([route, await store.routeToChain(id)]).toEqual([route, route]);
      expect(await sandboxHas(id)).toBe(route === null);
      ends.add(String(route));
    }
    expect([...ends].sort()).toEqual(['evm', 'null']);
  });
});

describe('a row whose reference was changed', () => {
  beforeAll(() => start(CHAINS));
  afterAll(stop);

  it('is ordered from the chain under the name of its payout, and of no other', async () => {
    const id = await storedOnly({ merchant_id: liveMerchant() });
    await owner.query('UPDATE payouts SET provider_reference = $2 WHERE id = $1', [id, 'payout-of-another']);
    await dueNow(id);
    await isOrdered(id);
    expect(chain.orders.map(({ reference }) => reference)).toEqual([payoutReference(id)]);
    await bookSays(id, { state: 'submitted', route: 'evm' });
  });
});

describe('instances whose settings differ while they are changed', () => {
  const toTheChain = (id: string) => service.app.get(PayoutStore).routeToChain(id);

  beforeAll(() => start({}));
  afterEach(() => configure(ALL_SANDBOX));
  afterAll(stop);

  it('do not send what one of them has failed, where the ledger’s answer to it was lost', async () => {
    service.ledger.lostAnswers = Infinity;
    const id = await payOut({ merchant_id: liveMerchant() });
    await becomes(id, 'FAILED');
    configure(ALL_EVM);
    service.ledger.lostAnswers = 0;
    await dueNow(id);
    await bookSays(id, { state: 'failed', route: null, rail_reference: null, next_step_at: null });
    expect([ordersOf(id), service.ledger.outcomesOf(id)]).toEqual([[], ['FAILED ok']]);
    expect(await toTheChain(id)).toBeNull();
  });

  it('do not fail what another one has given to the chain', async () => {
    const id = await storedOnly();
    expect(await toTheChain(id)).toBe('evm');
    await expect(service.app.get(SandboxRail).refuse(payoutReference(id))).rejects.toThrow(/another rail/);
  });

  it('are not told the outcome of a payout that another one may send over a chain', async () => {
    const [stored, onItsWay] = [await storedOnly(), accepted()];
    for (const id of [stored, onItsWay.id]) {
      expect((await tell(id, 'complete')).result.status).toBe('COMPLETED');
      expect([await toTheChain(id), await sandboxHas(id)]).toEqual([null, true]);
    }
    await service.ledger.publish(onItsWay.fact);
    const given = await storedOnly();
    expect(await toTheChain(given)).toBe('evm');
    for (const outcome of ['complete', 'fail', 'return'] as const)
      await expect(tell(given, outcome)).rejects.toMatchObject({ code: 'invalid_transition' });
    expect(service.ledger.outcomesOf(given)).toEqual([]);
  });

  it('return what was completed by hand before any rail took it', async () => {
    const id = await storedOnly();
    await tell(id, 'complete');
    // As an older version left it, which gave it to no rail.
    await owner.query('DELETE FROM sandbox_rail WHERE reference = $1', [payoutReference(id)]);
    expect((await tell(id, 'return')).result.status).toBe('REVERSED');
  });
});
