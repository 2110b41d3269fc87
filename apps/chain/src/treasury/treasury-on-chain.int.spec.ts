/** What is swept, and what leaves the hot wallet: the built service, the signer, a real chain. */
import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { getTreasury } from '@stablecoin/contracts/chain/get-treasury';
import { BuiltService } from '@stablecoin/testing/built-service';
import { BLOCKS_UNTIL_FINAL as FINAL } from '@stablecoin/testing/chain';
import { Drawing } from '@stablecoin/testing/drawing';
import { eventually } from '@stablecoin/testing/eventually';
import { NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { Sending } from '../testing/sending';
import { depositAddress, HOT } from '../testing/signer-process';

const COIN = 10n ** 6n;
const COLD = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const OFTEN = { CHAIN_TREASURY_POLL_MS: '60' };
const SWEEP = { ...OFTEN, CHAIN_SWEEP_ABOVE: 'USDT:100,USDC:100' };
const LONG = { timeoutMs: 60_000, pollMs: 100 };
/** Of the treasury's passes: enough for what must not happen to happen. */
const PASSES_MS = 1_500;

let sending: Sending;
let process: BuiltService | undefined;

beforeAll(async () => {
  sending = await Sending.start();
});
afterEach(() => process?.kill());
afterAll(() => sending.stop());

interface Ordered {
  reference: string;
  kind: string;
  units: string;
  state: string;
}

async function run(settings: NodeJS.ProcessEnv, nodes?: readonly string[]): Promise<void> {
  await sending.endLeases();
  await sending.owner.query('UPDATE treasuries SET expires_at = clock_timestamp()');
  process = await sending.launch(nodes, settings);
}

/** The address of a wallet of USDT, as the ledger gave it out. */
async function wallet(index: number): Promise<Hex> {
  const address = depositAddress(index);
  await sending.surroundings.ledger.publish(sending.surroundings.ledger.open('USDT', address, 'erc20').fact);
  await eventually('the address is known', async () => {
    const bytes = `\\x${address.slice(2)}`;
    return (await sending.owner.query('SELECT 1 FROM deposit_addresses WHERE address = $1', [bytes])).rowCount === 1;
  });
  return address;
}

const deposit = (to: Hex, coins: bigint) => sending.chain.sendTokens('USDT', to, coins * COIN);

/** About the address with this index, the oldest first. */
async function ordersOf(index: number): Promise<Ordered[]> {
  const { rows } = await sending.owner.query<Ordered>(
    `SELECT reference, kind, units::text, state FROM outgoing_transfers
     WHERE from_index = $1 OR to_index = $1 ORDER BY created_at`,
    [index],
  );
  return rows;
}

const mined = (what: string, holds: () => Promise<boolean>) =>
  eventually(
    what,
    async () => {
      await sending.chain.mine();
      return holds();
    },
    LONG,
  );

const isDone = async (index: number, count: number): Promise<boolean> => {
  const orders = await ordersOf(index);
  return orders.length === count && orders.every(({ state }) => state === 'completed');
};

it('names the hot wallet before any block is walked, and reads it once one is', async () => {
  const node = await NodeFaultProxy.inFrontOf(sending.chain.rpcUrl);
  node.inject({ fault: { kind: 'throttled' }, methods: ['eth_getBlockByHash', 'eth_getBlockByNumber'] });
  try {
    // By the treasury's own pace the next look would be in an hour.
    await run({ CHAIN_TREASURY_POLL_MS: '3600000' }, [node.url]);
    const treasury = async () => (await sending.bus.call(getTreasury, { network: 'erc20' })).networks;
    const untilItLooks = `SELECT 1 FROM treasuries WHERE network = 'erc20' AND expires_at > clock_timestamp()`;
    await eventually('a first look', async () => (await sending.owner.query(untilItLooks)).rowCount === 1);
    await delay(PASSES_MS);
    const hot_address = HOT.toLowerCase();
    expect(await treasury()).toMatchObject([{ hot_address, hot_wei: null, read_at: null }]);

    node.heal();
    await eventually('the hot wallet is read', async () => (await treasury())[0]?.read_at !== null);
    expect(await treasury()).toMatchObject([{ hot_address, hot_wei: expect.stringMatching(/^[1-9]\d+$/) }]);
  } finally {
    await node.close();
  }
});

it('sweeps what is above the threshold, coins first, and leaves dust', async () => {
  await run(SWEEP);
  const [full, dust] = [await wallet(3), await wallet(5)];
  const before = await sending.tokensOf(HOT);
  await Promise.all([deposit(full, 150n), sending.chain.mine()]);
  await deposit(dust, 100n);
  await mined('it is swept', () => isDone(3, 2));
  const [gas, sweep] = await ordersOf(3);
  expect(gas).toMatchObject({ reference: 'gas:erc20:3:0', kind: 'gas' });
  expect(sweep).toMatchObject({ reference: 'sweep:erc20:USDT:3:0', kind: 'sweep', units: `${150n * COIN}` });
  expect(await sending.tokensOf(full)).toBe(0n);
  expect((await sending.tokensOf(HOT)) - before).toBe(150n * COIN);
  expect(await sending.tokensOf(dust)).toBe(100n * COIN);

  // What was above the fee is left for the next one, which needs less therefore.
  await deposit(full, 101n);
  await mined('it is swept again', async () => {
    const orders = await ordersOf(3);
    return orders.at(-1)?.reference === 'sweep:erc20:USDT:3:1' && orders.at(-1)?.state === 'completed';
  });
  expect(await sending.tokensOf(full)).toBe(0n);
  expect(await ordersOf(5)).toEqual([]);
  const entries = await sending.owner.query(`SELECT kind FROM treasury_entries WHERE kind = 'gas'`);
  expect(entries.rowCount).toBeGreaterThanOrEqual(1);
});

it('sweeps no deposit that may still be replaced', async () => {
  await run(SWEEP);
  const address = await wallet(7);
  // With coins, the first that is ordered is the sweep.
  await sending.chain.call('anvil_setBalance', address, '0xde0b6b3a7640000');
  await deposit(address, 150n);
  await sending.chain.mine(FINAL);
  await deposit(address, 500n);
  await delay(PASSES_MS);
  expect(await ordersOf(7)).toEqual([]);
  await sending.chain.mine();
  await eventually('a sweep is ordered', async () => (await ordersOf(7)).length === 1, LONG);
  expect(await ordersOf(7)).toMatchObject([{ kind: 'sweep', units: `${150n * COIN}` }]);
  await mined('both are swept', async () => (await sending.tokensOf(address)) === 0n);
});

it('gives more coins to an address whose sweep waits for them', async () => {
  await run(SWEEP);
  const address = await wallet(9);
  await deposit(address, 90n);
  const bytes = (hex: Hex) => `\\x${hex.slice(2)}`;
  await sending.owner.query(
    `INSERT INTO outgoing_transfers (id, reference, network, kind, from_address, from_index, to_address, currency, units,
       state, held_by) VALUES ($1, 'sweep:erc20:USDT:9:0', 'erc20', 'sweep', $2, 9, $3, 'USDT', $4, 'waiting', 'turn')`,
    [randomUUID(), bytes(address), bytes(HOT), (90n * COIN).toString()],
  );
  await mined('it is swept', async () => (await sending.tokensOf(address)) === 0n);
  expect((await ordersOf(9)).map(({ reference }) => reference)).toEqual(['sweep:erc20:USDT:9:0', 'gas:erc20:9:0']);
});

it('orders each once, however often it is killed', async () => {
  const drawing = new Drawing(11);
  const indices = [20, 21, 22, 23, 24, 25];
  await run(SWEEP);
  const addresses = await Promise.all(indices.map(wallet));
  const before = await sending.tokensOf(HOT);
  for (const address of addresses) await deposit(address, 200n);
  const isOver = async () => (await Promise.all(indices.map((index) => isDone(index, 2)))).every(Boolean);
  let kills = 0;
  await eventually(
    'all are swept',
    async () => {
      await sending.chain.mine();
      if (kills < 8 && drawing.next() < 0.5) {
        await delay(drawing.below(200));
        await process?.kill();
        kills += 1;
        await run(SWEEP);
      }
      return isOver();
    },
    { timeoutMs: 120_000, pollMs: 100 },
  );
  expect(kills).toBeGreaterThanOrEqual(5);
  expect((await sending.tokensOf(HOT)) - before).toBe(200n * 6n * COIN);
  for (const address of addresses) expect(await sending.nonce(address)).toBe(1);
});

it('orders nothing while one of two nodes is away', async () => {
  await run(SWEEP, [sending.chain.rpcUrl, 'http://127.0.0.1:9']);
  const address = await wallet(30);
  await deposit(address, 300n);
  await sending.chain.mine(FINAL);
  await delay(PASSES_MS);
  expect(await ordersOf(30)).toEqual([]);
});

it('sends what is above the maximum of the hot wallet to the cold address, down to the target', async () => {
  const held = await sending.tokensOf(HOT, 'USDC');
  const units = async (account: Hex) => sending.tokensOf(account, 'USDC');
  const target = held - 1_000n * COIN;
  const limit = (amount: bigint) => `USDC:${amount / COIN}.${(amount % COIN).toString().padStart(6, '0')}`;
  const limits = { CHAIN_HOT_MAX: limit(held - 1n), CHAIN_HOT_TARGET: limit(target) };
  await run({ ...OFTEN, ...limits });
  const orders = async () =>
    (await sending.owner.query<Ordered>(`SELECT reference, state FROM outgoing_transfers WHERE kind = 'to-cold'`)).rows;
  await mined('it is sent', async () => (await orders()).some(({ state }) => state === 'completed'));
  await delay(PASSES_MS);
  expect(await orders()).toEqual([{ reference: 'to-cold:erc20:USDC:0', state: 'completed' }]);
  expect(await units(COLD)).toBe(1_000n * COIN);
  expect(await units(HOT)).toBe(target);
});
