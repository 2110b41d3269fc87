/** Nodes that disagree, lie, lag behind, or don't answer: what arrives is seen as long as one works, and money waits. */
import { randomBytes } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { topicOf, TRANSFER_TOPIC } from '@stablecoin/chains/erc20';
import { rescan } from '@stablecoin/contracts/chain/rescan';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { BLOCKS_UNTIL_FINAL as FINAL, startChain as startTestChain, TestChain } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { FaultRule, NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { Client } from 'pg';
import { toHex } from 'viem/utils';
import { chainSurroundings, ChainSurroundings, RunningChain, startChain } from '../testing/running-service';

let nats: OwnNats;
let chain: TestChain;
let nodes: [NodeFaultProxy, NodeFaultProxy];
let surroundings: ChainSurroundings;
let owner: Client;
let service: RunningChain | undefined;

beforeEach(async () => {
  [nats, chain] = await Promise.all([startOwnNats(), startTestChain({ blocks: 'ordered' })]);
  nodes = [await NodeFaultProxy.inFrontOf(chain.rpcUrl), await NodeFaultProxy.inFrontOf(chain.rpcUrl)];
  surroundings = await chainSurroundings(nats.url);
  owner = new Client({ connectionString: surroundings.database.ownerUrl });
  await owner.connect();
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
  await owner.end();
  await surroundings.close();
  await Promise.all([...nodes.map((node) => node.close()), nats.stop(), chain.stop()]);
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
  const head = await chain.height();
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
const UNSUPPORTED = /^chain_node_errors_total\{.*kind="tag-unsupported"/;

const BLOCKS = 'eth_getBlockByNumber';
/** Done at the first call, for which each further one waits. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
/** Of the block that such a question names. */
const heightIn = ([place]: readonly unknown[]) => Number(place);
const NO_LOGS: FaultRule = { methods: ['eth_getLogs'], fault: { kind: 'lies', about: () => [] } };
/** Logs that say they are of another height. */
const atHeight = (blockNumber: Hex) => (logs: unknown) => (logs as object[]).map((log) => ({ ...log, blockNumber }));
const OTHER_HASH = { hash: `0x${'ee'.repeat(32)}` };
/** What a node answers that knows no finalized block. */
const noFinality = (code: number, message: string): FaultRule => ({
  fault: { kind: 'error', code, message },
  methods: [BLOCKS],
  where: ([place]) => place === 'finalized',
});

it('credits nothing while the second node has another final block', async () => {
  const address = await start();
  const before = await counted(DISAGREEMENTS);
  nodes[1].inject({
    methods: [BLOCKS],
    where: (params) => heightIn(params) >= 0,
    fault: { kind: 'lies', about: (block) => block && { ...block, ...OTHER_HASH } },
  });
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  await eventually('the disagreement is counted', async () => (await counted(DISAGREEMENTS)) > before);
  await passes(5);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  nodes[1].heal();
  await has(hash, '1.00000000 COMPLETED');
});

it('waits for the second node while it lacks a block, which is no disagreement', async () => {
  const address = await start();
  const before = await counted(DISAGREEMENTS);
  nodes[1].inject({
    methods: [BLOCKS],
    where: (params) => heightIn(params) >= 0,
    fault: { kind: 'lies', about: () => null },
  });
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  await passes(5);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  expect(await counted(DISAGREEMENTS)).toBe(before);
  nodes[1].heal();
  await has(hash, '1.00000000 COMPLETED');
});

it('waits with a transfer that has moved to a block which is not walked yet, though its former one is final', async () => {
  const address = await start();
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  const raw = await chain.rawOf(hash);
  await chain.mine();
  await has(hash, '1.00000000 PENDING');
  await chain.reorganise(1);
  await walked();
  await passes(2);
  // Between the question for the newest block and the one for what is final, the chain goes on, with the transfer.
  const goOn = once(async () => {
    await chain.call('eth_sendRawTransaction', raw);
    await chain.mine(1 + FINAL);
  });
  for (const node of nodes)
    node.inject({
      methods: [BLOCKS],
      where: ([place]) => place === 'finalized',
      fault: {
        kind: 'lies',
        about: async () => {
          await goOn();
          return chain.call('eth_getBlockByNumber', 'finalized', false);
        },
      },
    });
  await has(hash, '1.00000000 COMPLETED');
  expect(surroundings.ledger.judged.filter((line) => line.startsWith(hash))).toHaveLength(2);
});

it('credits nothing that only one node has', async () => {
  const address = await start();
  const before = await counted(DISAGREEMENTS);
  const madeUp: Hex = `0x${'fa'.repeat(32)}`;
  const blockNumber = toHex((await chain.height()) + 3);
  const log = {
    ...{ address: chain.token('USDT').address, data: toHex(1_000_000n, { size: 32 }), transactionHash: madeUp },
    ...{ topics: [TRANSFER_TOPIC, toHex(0, { size: 32 }), topicOf(address)], logIndex: '0x0', blockNumber },
  };
  nodes[0].inject({
    methods: ['eth_getLogs'],
    fault: {
      kind: 'lies',
      about: async (logs, params) => {
        const [{ blockHash }] = params as [{ blockHash?: Hex }];
        const block = await chain.call<{ hash: Hex } | null>(BLOCKS, blockNumber, false);
        return block?.hash === (blockHash ?? '') ? [...(logs as unknown[]), { ...log, blockHash }] : logs;
      },
    },
  });
  await chain.mine(3 + FINAL);
  await has(madeUp, '1.00000000 PENDING');
  await eventually('the disagreement is counted', async () => (await counted(DISAGREEMENTS)) > before);
  await passes(5);
  expect(surroundings.ledger.depositsOf(madeUp)).toEqual(['1.00000000 PENDING']);
  // Now neither has it: it was seen, and it is not there.
  nodes[0].heal();
  await has(madeUp, '1.00000000 FAILED');
});

it('does not credit what its only node takes back without replacing a block', async () => {
  const only = { CHAIN_RPC_ERC20: nodes[0].url };
  const address = await start(only);
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(2);
  await has(hash, '1.00000000 PENDING');
  nodes[0].inject(NO_LOGS);
  await chain.mine(FINAL);
  await has(hash, '1.00000000 FAILED');
});

it('finds at the other node what the first one leaves out, and credits it when both have it', async () => {
  const address = await start();
  nodes[0].inject(NO_LOGS);
  const before = await counted(DISAGREEMENTS);
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1);
  await walked();
  expect(surroundings.ledger.depositsOf(hash)).toEqual([]);
  await chain.mine(FINAL);
  await has(hash, '1.00000000 PENDING');
  await eventually('the disagreement is counted', async () => (await counted(DISAGREEMENTS)) > before);
  nodes[0].heal();
  await has(hash, '1.00000000 COMPLETED');
});

it('finds what its only node left out at first', async () => {
  const address = await start({ CHAIN_RPC_ERC20: nodes[0].url });
  nodes[0].inject(NO_LOGS);
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1);
  await walked();
  nodes[0].heal();
  await passes(3);
  expect(surroundings.ledger.depositsOf(hash)).toEqual([]);
  await chain.mine(FINAL);
  await has(hash, '1.00000000 COMPLETED');
});

it('walks along the second node while the first one throttles, and credits when both answer', async () => {
  const address = await start();
  const before = await counted(THROTTLED);
  nodes[0].inject({ fault: { kind: 'throttled' } });
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  await passes(3);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  expect(await counted(THROTTLED)).toBeGreaterThan(before);
  nodes[0].heal();
  await has(hash, '1.00000000 COMPLETED');
});

it.each([0, 1] as const)('walks along the node that is not behind, and waits for node %i, which is', async (index) => {
  const address = await start();
  nodes[index].lagBy(12);
  await chain.mine(6);
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  await passes(5);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  const host = new URL(nodes[index].url).host;
  expect(await counted(new RegExp(`^chain_node_lag_blocks\\{network="erc20",node="${host}"\\}`))).toBe(12);
  nodes[index].heal();
  await has(hash, '1.00000000 COMPLETED');
});

it('walks along the other node while one names a head that it does not have', async () => {
  const address = await start();
  const last = (await chain.height()) + 3;
  nodes[0].inject(
    {
      methods: [BLOCKS],
      where: ([place]) => place === 'latest',
      fault: { kind: 'lies', about: (block) => ({ ...(block as object), ...OTHER_HASH, number: '0xffff' }) },
    },
    { methods: [BLOCKS], where: (params) => heightIn(params) > last, fault: { kind: 'lies', about: () => null } },
  );
  await chain.mine(6);
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '1.00000000 PENDING');
  nodes[0].heal();
  await has(hash, '1.00000000 COMPLETED');
});

it('waits while nodes that have named final blocks name none', async () => {
  const address = await start();
  await chain.mine(FINAL);
  await eventually('finality is known', async () => {
    return (await owner.query('SELECT 1 FROM walks WHERE knows_finality')).rowCount === 1;
  });
  for (const node of nodes) node.inject(noFinality(-39001, 'finalized block not found'));
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(80);
  await has(hash, '1.00000000 PENDING');
  await walked();
  await passes(6);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  for (const node of nodes) node.heal();
  await has(hash, '1.00000000 COMPLETED');
});

it('counts confirmations where the nodes know no finalized block, and does not take that for a failure', async () => {
  const before = await counted(UNSUPPORTED);
  for (const node of nodes) node.inject(noFinality(-32602, 'finalized block is not supported'));
  const address = await start();
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(63);
  await has(hash, '1.00000000 PENDING');
  await passes(3);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 PENDING']);
  await chain.mine();
  await has(hash, '1.00000000 COMPLETED');
  expect(await counted(UNSUPPORTED)).toBe(before);
});

it('is not held up on one network by the nodes of another', async () => {
  const other = await NodeFaultProxy.inFrontOf(chain.rpcUrl);
  other.inject({ fault: { kind: 'throttled' } });
  const address = await start({ CHAIN_RPC_POLYGON: other.url });
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '1.00000000 COMPLETED');
  await other.close();
});

it('takes a block’s height from its chain, and not from what one node writes beside a transfer', async () => {
  const address = await start();
  nodes[0].inject({ methods: ['eth_getLogs'], fault: { kind: 'lies', about: atHeight('0x0') } });
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(3);
  await walked();
  await passes(5);
  expect(surroundings.ledger.depositsOf(hash)).not.toContain('1.00000000 COMPLETED');
  nodes[0].heal();
  await chain.mine(FINAL);
  await has(hash, '1.00000000 COMPLETED');
});

it('goes on walking while its nodes answer for no range of blocks', async () => {
  const address = await start();
  const late: Hex = `0x${randomBytes(20).toString('hex')}`;
  for (const node of nodes)
    node.inject({
      methods: ['eth_getLogs'],
      where: ([filter]) => 'fromBlock' in (filter as object),
      fault: { kind: 'error', code: -32005, message: 'block range is too wide' },
    });
  await surroundings.ledger.publish(surroundings.ledger.open('USDT', late, 'erc20').fact);
  await passes(5);
  // More than one pass walks.
  await chain.mine(120);
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '1.00000000 COMPLETED');
  const unchecked = async () => (await owner.query('SELECT 1 FROM deposit_addresses WHERE unchecked')).rowCount;
  expect(await unchecked()).toBe(1);
  nodes[1].heal();
  await eventually('the late address is looked for at the other node', async () => (await unchecked()) === 0);
});

it('reverses nothing in a rescan that only one node has otherwise', async () => {
  const address = await start();
  const hash = await chain.sendTokens('USDT', address, 1_000_000n);
  await chain.mine();
  const height = await chain.height();
  await chain.mine(100);
  await has(hash, '1.00000000 COMPLETED');
  await walked();
  nodes[0].inject(
    {
      methods: [BLOCKS],
      where: (params) => heightIn(params) === height,
      fault: { kind: 'lies', about: (block) => ({ ...(block as object), ...OTHER_HASH }) },
    },
    {
      methods: ['eth_getLogs'],
      where: ([filter]) => (filter as { blockHash?: string }).blockHash === OTHER_HASH.hash,
      fault: { kind: 'lies', about: () => [] },
    },
  );
  await service?.bus.call(rescan, { network: 'erc20', from_block: height });
  await eventually('the rescan has ended', async () => {
    return (await owner.query('SELECT 1 FROM walks WHERE rescan_from IS NULL')).rowCount === 1;
  });
  await passes(8);
  await chain.mine();
  await walked();
  expect((await owner.query(`SELECT standing FROM deposits`)).rows).toEqual([{ standing: 'final' }]);
  expect(surroundings.ledger.depositsOf(hash)).toEqual(['1.00000000 COMPLETED']);
});
