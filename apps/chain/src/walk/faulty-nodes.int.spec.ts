/** Nodes that disagree, lie, lag behind, or don't answer: what arrives is seen as long as one works, and money waits. */
import { randomBytes } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { tokenOf } from '@stablecoin/chains/tokens';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { AnvilChain } from '../testing/anvil-chain';
import { Fault, FaultyNode } from '../testing/faulty-node';
import { chainSurroundings, ChainSurroundings, RunningChain, startChain } from '../testing/running-service';

const USDT = tokenOf('erc20', 'USDT')!.address;
const FINAL = 8;

let nats: OwnNats;
let anvil: AnvilChain;
let nodes: [FaultyNode, FaultyNode];
let surroundings: ChainSurroundings;
let owner: Client;
let service: RunningChain | undefined;

beforeEach(async () => {
  [nats, anvil] = await Promise.all([startOwnNats(), AnvilChain.start('erc20')]);
  nodes = [await FaultyNode.before(anvil.url), await FaultyNode.before(anvil.url)];
  surroundings = await chainSurroundings(nats.url);
  owner = new Client({ connectionString: surroundings.database.ownerUrl });
  await owner.connect();
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
  await owner.end();
  await surroundings.close();
  await Promise.all([...nodes.map((node) => node.stop()), nats.stop(), anvil.stop()]);
});

async function start(environment: NodeJS.ProcessEnv = {}): Promise<Hex> {
  const both = nodes.map(({ url }) => url).join(',');
  service = await startChain(surroundings, { CHAIN_RPC_ERC20: both, ...environment }, nats.url);
  await eventually('the walk has begun', async () => (await owner.query('SELECT 1 FROM walks')).rowCount === 1);
  const address: Hex = `0x${randomBytes(20).toString('hex')}`;
  await surroundings.ledger.publish(surroundings.ledger.open('USDT', address, 'erc20').fact);
  await eventually('the address is known', async () => {
    return (await owner.query('SELECT 1 FROM deposit_addresses WHERE NOT unchecked')).rowCount === 1;
  });
  return address;
}

const has = (hash: Hex, expected: string) =>
  eventually(`the ledger has ${expected}`, () => surroundings.ledger.depositsOf(hash).join() === expected);

/** Until this many passes after now have been made. */
async function passes(count: number): Promise<void> {
  for (let pass = 0; pass < count; pass += 1) {
    const { rows } = await owner.query<{ expires_at: Date }>('SELECT expires_at FROM walk_leases');
    await eventually('another pass', async () => {
      const { rowCount } = await owner.query('SELECT 1 FROM walk_leases WHERE expires_at > $1', [rows[0]?.expires_at]);
      return rowCount === 1;
    });
  }
}

/** Until the chain's newest block has been walked. */
const walked = async () => {
  const head = Number(await anvil.call<Hex>('eth_blockNumber', []));
  await eventually(`block ${head} is walked`, async () => {
    return (await owner.query('SELECT 1 FROM walks WHERE tip_number >= $1', [head])).rowCount === 1;
  });
};

async function counted(line: RegExp): Promise<number> {
  const found = (await metricsText()).split('\n').find((each) => line.test(each));
  return Number(found?.split(' ').at(-1) ?? 0);
}

const DISAGREEMENTS = /^chain_node_disagreements_total\{network="erc20"\}/;
const THROTTLED = /^chain_node_errors_total\{.*kind="throttled"/;
const asHexOf = (block: unknown): Record<string, unknown> => block as Record<string, unknown>;

it('credits nothing while the second node has another final block', async () => {
  const address = await start();
  const before = await counted(DISAGREEMENTS);
  nodes[1].fault = async ({ method, params }, answer) =>
    method === 'eth_getBlockByNumber' && /^0x/.test(String(params[0]))
      ? { result: { ...asHexOf(await answer()), hash: `0x${'ee'.repeat(32)}` } }
      : undefined;
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  await eventually('the disagreement is counted', async () => (await counted(DISAGREEMENTS)) > before);
  await passes(5);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  nodes[1].fault = undefined;
  await has(hash, '1.00000000 COMPLETED');
});

it('credits nothing that only one node has', async () => {
  const address = await start();
  const before = await counted(DISAGREEMENTS);
  const madeUp: Hex = `0x${'fa'.repeat(32)}`;
  nodes[0].fault = async ({ method, params }, answer) => {
    const [filter] = params as [{ blockHash?: Hex }];
    const block =
      method === 'eth_getLogs' ? await anvil.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x3', false]) : null;
    if (block === null || filter.blockHash !== block.hash) return undefined;
    const topics = [
      '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
      `0x${'0'.repeat(64)}`,
      `0x${address.slice(2).padStart(64, '0')}`,
    ];
    const log = {
      ...{ address: USDT, topics, data: `0x${'f4240'.padStart(64, '0')}`, transactionHash: madeUp },
      ...{ logIndex: '0x0', blockNumber: '0x3', blockHash: block.hash },
    };
    return { result: [...((await answer()) as unknown[]), log] };
  };
  await anvil.mine(3 + FINAL);
  await has(madeUp, '1.00000000 PENDING');
  await eventually('the disagreement is counted', async () => (await counted(DISAGREEMENTS)) > before);
  await passes(5);
  expect(surroundings.ledger.depositsOf(madeUp)).toEqual(['1.00000000 PENDING']);
  // Now neither has it: it was seen, and it is not there.
  nodes[0].fault = undefined;
  await has(madeUp, '1.00000000 FAILED');
});

it('does not credit what its only node takes back without replacing a block', async () => {
  const only = { CHAIN_RPC_ERC20: nodes[0].url };
  const address = await start(only);
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(2);
  await has(hash, '1.00000000 PENDING');
  nodes[0].fault = async ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined);
  await anvil.mine(FINAL);
  await has(hash, '1.00000000 FAILED');
});

it('finds at the other node what the first one leaves out, and credits it when both have it', async () => {
  const address = await start();
  nodes[0].fault = async ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined);
  const before = await counted(DISAGREEMENTS);
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(1);
  await walked();
  expect(surroundings.ledger.depositsOf(hash)).toEqual([]);
  await anvil.mine(FINAL);
  await has(hash, '1.00000000 PENDING');
  await eventually('the disagreement is counted', async () => (await counted(DISAGREEMENTS)) > before);
  nodes[0].fault = undefined;
  await has(hash, '1.00000000 COMPLETED');
});

it('finds what its only node left out at first', async () => {
  const address = await start({ CHAIN_RPC_ERC20: nodes[0].url });
  nodes[0].fault = async ({ method }) => (method === 'eth_getLogs' ? { result: [] } : undefined);
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(1);
  await walked();
  nodes[0].fault = undefined;
  await passes(3);
  expect(surroundings.ledger.depositsOf(hash)).toEqual([]);
  await anvil.mine(FINAL);
  await has(hash, '1.00000000 COMPLETED');
});

it('walks along the second node while the first one throttles, and credits when both answer', async () => {
  const address = await start();
  const before = await counted(THROTTLED);
  nodes[0].fault = async () => ({ status: 429 });
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  await passes(3);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  expect(await counted(THROTTLED)).toBeGreaterThan(before);
  nodes[0].fault = undefined;
  await has(hash, '1.00000000 COMPLETED');
});

/** Answers as if block 3 were the newest one. */
const behind: Fault = async ({ method, params }, answer) => {
  if (method !== 'eth_getBlockByNumber') return undefined;
  if (params[0] === 'finalized') return { result: await anvil.call('eth_getBlockByNumber', ['0x0', false]) };
  const block = await answer();
  if (block === null || Number(asHexOf(block)['number']) <= 3) return { result: block };
  return { result: params[0] === 'latest' ? await anvil.call('eth_getBlockByNumber', ['0x3', false]) : null };
};

it.each([0, 1] as const)('walks along the node that is not behind, and waits for node %i, which is', async (index) => {
  const address = await start();
  nodes[index].fault = behind;
  await anvil.mine(6);
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  await passes(5);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  const host = new URL(nodes[index].url).host;
  expect(await counted(new RegExp(`^chain_node_lag_blocks\\{network="erc20",node="${host}"\\}`))).toBe(12);
  nodes[index].fault = undefined;
  await has(hash, '1.00000000 COMPLETED');
});

it('walks along the other node while one names a head that it does not have', async () => {
  const address = await start();
  nodes[0].fault = async ({ method, params }, answer) => {
    if (method !== 'eth_getBlockByNumber') return undefined;
    if (params[0] === 'latest')
      return { result: { ...asHexOf(await answer()), number: '0xffff', hash: `0x${'ee'.repeat(32)}` } };
    return { result: Number(params[0]) > 3 ? null : await answer() };
  };
  await anvil.mine(6);
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  nodes[0].fault = undefined;
  await has(hash, '1.00000000 COMPLETED');
});

it('waits while nodes that have named final blocks name none', async () => {
  const address = await start();
  await anvil.mine(FINAL);
  await eventually('finality is known', async () => {
    return (await owner.query('SELECT 1 FROM walks WHERE knows_finality')).rowCount === 1;
  });
  for (const node of nodes)
    node.fault = async ({ params }) =>
      params[0] === 'finalized' ? { error: { code: -39001, message: 'finalized block not found' } } : undefined;
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(80);
  await has(hash, '1.00000000 PENDING');
  await walked();
  await passes(6);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  for (const node of nodes) node.fault = undefined;
  await has(hash, '1.00000000 COMPLETED');
});

it('counts confirmations where the nodes know no finalized block', async () => {
  for (const node of nodes)
    node.fault = async ({ params }) =>
      params[0] === 'finalized' ? { error: { code: -32602, message: 'finalized block is not supported' } } : undefined;
  const address = await start();
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(63);
  await has(hash, '1.00000000 PENDING');
  await passes(3);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  await anvil.mine();
  await has(hash, '1.00000000 COMPLETED');
});

it('is not held up on one network by the nodes of another', async () => {
  const other = await FaultyNode.before(anvil.url);
  other.fault = async () => ({ status: 429 });
  const address = await start({ CHAIN_RPC_POLYGON: other.url });
  const hash = await anvil.send(USDT, { to: address, units: 1_000_000n });
  await anvil.mine(1 + FINAL);
  await has(hash, '1.00000000 COMPLETED');
  await other.stop();
});
