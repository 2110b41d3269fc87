/** What happens to a transfer after it was signed: blocks that are full or replaced, nodes that lie, people who object. */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BLOCKS_UNTIL_FINAL as FINAL } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { FaultRule, NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { Sending } from '../testing/sending';

const BROADCAST = ['eth_sendRawTransaction'];
/** Whatever is sent from now on never reaches the chain. */
const FORGETS: FaultRule = { methods: BROADCAST, fault: { kind: 'forgets' } };
const LIES: FaultRule = {
  methods: ['eth_getTransactionReceipt'],
  fault: { kind: 'lies', about: (receipt) => (receipt ? { ...receipt, status: '0x0' } : receipt) },
};
/** Ahead of ours in the same block. */
const FIRST = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n };

let sending: Sending;
/** Two nodes of the chain. */
let proxies: NodeFaultProxy[];
const inject = (rule: FaultRule) => proxies.forEach((proxy) => proxy.inject(rule));

beforeAll(async () => {
  sending = await Sending.start();
  const { rpcUrl } = sending.chain;
  proxies = await Promise.all([NodeFaultProxy.inFrontOf(rpcUrl), NodeFaultProxy.inFrontOf(rpcUrl)]);
  await sending.serve(proxies.map(({ url }) => url));
});
afterEach(() => proxies.forEach((proxy) => proxy.heal()));
afterAll(async () => {
  await sending.stop();
  await Promise.all(proxies.map((proxy) => proxy.close()));
});

const payee = ({ to_address }: TransferView) => to_address as Hex;
const received = (transfer: TransferView) => sending.tokensOf(payee(transfer));
const isKnown = async (hash: string | null) =>
  (await sending.chain.call('eth_getTransactionByHash', hash ?? '')) !== null;

async function sent(order: Parameters<Sending['submit']>[0] = {}): Promise<TransferView> {
  const transfer = await sending.becomes(await sending.submit(order), 'sent');
  await eventually('a node has it', () => isKnown(transfer.transaction_hash));
  return transfer;
}

/** Its attempts when there is another one than the first, which the signer has signed. */
const replaced = (transfer: TransferView) =>
  eventually('another attempt is signed', async () => {
    const attempts = await sending.attempts(transfer);
    return attempts.length > 1 && attempts[1]?.hash !== null && attempts;
  });

it('goes out again, the same, where a node took it and cut the connection', async () => {
  inject({ methods: BROADCAST, fault: { kind: 'cut-after' } });
  const before = await sending.nonce();
  const transfer = await sent();
  proxies.forEach((proxy) => proxy.heal());
  const completed = await sending.mineUntil(transfer, 'completed');
  expect(completed.transaction_hash).toBe(transfer.transaction_hash);
  expect([await received(transfer), await sending.nonce()]).toEqual([10_000_000n, before + 1]);
});

describe('one that is not mined', () => {
  it('is replaced with both fees an eighth higher; the replacement may win', async () => {
    const transfer = await sent();
    const attempts = await replaced(transfer);
    const { rows } = await sending.owner.query<{ fee: string; priority: string }>(
      `SELECT max_fee_per_gas::text AS fee, max_priority_fee_per_gas::text AS priority FROM transfer_attempts
       JOIN outgoing_transfers ON id = transfer_id WHERE reference = $1 ORDER BY number LIMIT 2`,
      [transfer.reference],
    );
    const [first, second] = rows.map(({ fee, priority }) => ({ fee: BigInt(fee), priority: BigInt(priority) }));
    if (!first || !second) throw new Error('there are two');
    expect(second.fee * 1_000n).toBeGreaterThanOrEqual(first.fee * 1_125n);
    expect(second.priority * 1_000n).toBeGreaterThanOrEqual(first.priority * 1_125n);
    // Before that, the first one is what the nodes have.
    await eventually('a node has the replacement', async () => (await sending.attempts(transfer))[1]?.is_broadcast);
    const completed = await sending.mineUntil(transfer, 'completed');
    expect(attempts.slice(1).map(({ hash }) => hash)).toContain((await sending.attempts(transfer)).at(1)?.hash);
    expect(completed.transaction_hash).not.toBe(attempts[0]?.hash);
    expect(await received(transfer)).toBe(10_000_000n);
  });

  it('is replaced also where nodes forget what they take, however often it is sent', async () => {
    inject(FORGETS);
    const transfer = await sending.becomes(await sending.submit(), 'sent');
    await replaced(transfer);
    proxies.forEach((proxy) => proxy.heal());
    await sending.mineUntil(transfer, 'completed');
    expect(await received(transfer)).toBe(10_000_000n);
  });

  it('may be mined itself all the same', async () => {
    const transfer = await sent();
    inject(FORGETS);
    await replaced(transfer);
    const completed = await sending.mineUntil(transfer, 'completed');
    expect(completed.transaction_hash).toBe(transfer.transaction_hash);
    expect(await received(transfer)).toBe(10_000_000n);
  });
});

describe('one that is cancelled', () => {
  it('has failed at once where it waits', async () => {
    const order = await sending.submit({ amount: '5000000' });
    await sending.isHeld(order, 'liquidity');
    expect(await sending.cancel(order.reference)).toMatchObject({
      ...{ state: 'failed', failure: 'cancelled', cancelled_by: 'ada', nonce: null, held_by: null },
    });
    expect(await sending.cancel(order.reference)).toMatchObject({ state: 'failed' });
  });

  it('has failed when its cancellation is final', async () => {
    const transfer = await sent();
    const asked = await sending.cancel(transfer.reference);
    expect([asked.state, asked.failure]).toEqual(['sent', null]);
    await eventually('a cancellation is signed', async () =>
      (await sending.attempts(transfer)).some(({ cancels, hash }) => cancels && hash !== null),
    );
    const nonce = await sending.nonce();
    await eventually('it is mined', async () => {
      await sending.chain.mine();
      return (await sending.nonce()) > nonce;
    });
    expect((await sending.lookUp(transfer.reference)).state).toBe('sent');
    expect(await sending.mineUntil(transfer, 'failed')).toMatchObject({ failure: 'cancelled', cancelled_by: 'ada' });
    expect(await received(transfer)).toBe(0n);
  });

  it('is completed where it was faster', async () => {
    const transfer = await sent();
    inject(FORGETS);
    await sending.cancel(transfer.reference);
    await eventually('a cancellation is signed', async () =>
      (await sending.attempts(transfer)).some(({ cancels, hash }) => cancels && hash !== null),
    );
    const completed = await sending.mineUntil(transfer, 'completed');
    expect(completed).toMatchObject({ transaction_hash: transfer.transaction_hash, failure: null });
    expect(await received(transfer)).toBe(10_000_000n);
    await expect(sending.cancel(transfer.reference)).rejects.toThrow(new Refusal('invalid_transition'));
  });

  it('has not ended already', async () => {
    const transfer = await sent();
    await sending.mineUntil(transfer, 'completed');
    await expect(sending.cancel(transfer.reference)).rejects.toThrow(new Refusal('invalid_transition'));
  });
});

it('has failed when it was reverted, in a final block', async () => {
  const transfer = await sent();
  await sending.chain.callToken('USDT', 'pause', [], undefined, FIRST);
  await sending.chain.mine();
  const stands = await sending.until('is in a block', transfer, ({ block_number }) => block_number !== null);
  expect(stands.state).toBe('sent');
  const failed = await sending.mineUntil(transfer, 'failed');
  expect(failed).toMatchObject({ failure: 'reverted', transaction_hash: transfer.transaction_hash });
  expect(BigInt(failed.fee_wei ?? 0)).toBeGreaterThan(0n);
  await sending.chain.callToken('USDT', 'unpause', []);
  await sending.chain.mine();
});

it('is sent again under its hash when its block was replaced, and completed once', async () => {
  const transfer = await sent();
  await sending.chain.mine();
  const stands = await sending.until('is in a block', transfer, ({ block_number }) => block_number !== null);
  await sending.chain.reorganise(1);
  await eventually('it was sent again', () => isKnown(transfer.transaction_hash));
  const completed = await sending.mineUntil(transfer, 'completed');
  expect(completed.transaction_hash).toBe(stands.transaction_hash);
  expect(await received(transfer)).toBe(10_000_000n);
});

it('does not end while its nodes say different things of its receipt', async () => {
  const transfer = await sent();
  proxies[1]?.inject(LIES);
  await sending.chain.mine(FINAL + 3);
  await eventually('the lie was told', () => (proxies[1]?.happened.get('lies') ?? 0) > 5);
  expect((await sending.lookUp(transfer.reference)).state).toBe('sent');
  proxies[1]?.heal();
  await sending.mineUntil(transfer, 'completed');
});

it('is held for a person where it succeeded and its log is another one than was ordered', async () => {
  const transfer = await sent();
  await sending.chain.callToken('USDT', 'setParams', [100, 10n ** 12n], undefined, FIRST);
  await sending.chain.mine(FINAL + 1);
  const held = await sending.isHeld(transfer, 'transfer_missing');
  expect([held.state, await received(transfer)]).toEqual(['sent', 9_900_000n]);
  await expect(sending.cancel(transfer.reference)).rejects.toThrow(new Refusal('invalid_transition'));
  await sending.chain.callToken('USDT', 'setParams', [0, 0]);
  await sending.chain.mine();
  // The lane goes on.
  await sending.mineUntil(await sending.submit(), 'completed');
});
