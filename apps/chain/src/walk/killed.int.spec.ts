/** The built service, killed while deposits arrive and blocks are replaced: each transfer is credited once or not at all. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { BuiltService } from '@stablecoin/testing/built-service';
import { Drawing } from '@stablecoin/testing/drawing';
import { BLOCKS_UNTIL_FINAL as FINAL, startChain, TestChain } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { BatchTransfers } from '../testing/batch-transfers';
import { chainEnvironment, chainSurroundings, ChainSurroundings } from '../testing/running-service';

const KILLS = 5;
/** Of the newest blocks, all of them after those that are final. */
const DEEPEST = 3;

let nats: OwnNats;
let chain: TestChain;
let surroundings: ChainSurroundings;
let owner: Client;
const launched: BuiltService[] = [];

beforeAll(async () => {
  [nats, chain] = await Promise.all([startOwnNats(), startChain({ blocks: 'ordered' })]);
  surroundings = await chainSurroundings(nats.url);
  owner = new Client({ connectionString: surroundings.database.ownerUrl });
  await owner.connect();
});

afterAll(async () => {
  await Promise.all(launched.map((process) => process.kill()));
  await owner.end();
  await surroundings.close();
  await Promise.all([nats.stop(), chain.stop()]);
});

function launch(url: string): BuiltService {
  const process = BuiltService.launch('chain', chainEnvironment(surroundings, { CHAIN_RPC_ERC20: url }, nats.url));
  launched.push(process);
  return process;
}

/** What a killed process held is free again; it would be so by itself after some seconds. */
async function endLeases(): Promise<void> {
  await owner.query('UPDATE walk_leases SET expires_at = clock_timestamp()');
  await owner.query('UPDATE deposits SET next_step_at = clock_timestamp() WHERE next_step_at IS NOT NULL');
}

it('does not start with a node of another chain, and names both', async () => {
  const polygon = await startChain({ network: 'polygon' });
  const service = launch(polygon.rpcUrl);
  const status = await service.ended;
  expect(service.output).toMatch(
    /chain could not start: CHAIN_RPC_ERC20: \S+: it is a node of chain 137, and erc20 is Ethereum, chain 1/,
  );
  expect(status).toBe(1);
  await polygon.stop();
});

it('credits each transfer that is on the chain once, and no other, however often it is killed', async () => {
  const drawing = new Drawing(7);
  const batches = await BatchTransfers.on(chain);
  const wallets = Array.from({ length: 3 }, (): Hex => `0x${randomBytes(20).toString('hex')}`);
  for (const address of wallets)
    await surroundings.ledger.publish(surroundings.ledger.open('USDT', address, 'erc20').fact);
  const sent = new Map<Hex, string[]>();
  const act = async () => {
    const units = Array.from({ length: 1 + drawing.below(3) }, () => 1_000_000 * (1 + drawing.below(90)));
    const transfers = units.map((each) => ({ to: drawing.oneOf(wallets), units: BigInt(each) }));
    const hash = await batches.send('USDT', ...transfers);
    sent.set(
      hash,
      units.map((each) => `${each / 1_000_000}.00000000 COMPLETED`),
    );
    const raw = await chain.rawOf(hash);
    await chain.mine(1 + drawing.below(2));
    if (drawing.next() < 0.6) await delay(drawing.below(120));
    if (drawing.next() > 0.3) return;
    const depth = 1 + drawing.below(DEEPEST);
    // The transaction is in another block from now on, or nowhere.
    await chain.reorganise(depth, drawing.next() < 0.5 ? [[raw, drawing.below(depth)]] : []);
    await chain.mine();
  };

  await chain.mine(FINAL);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const process = launch(chain.rpcUrl);
    await process.untilReady();
    // The first walk begins at the newest final block: what is sent before is not seen.
    await eventually('the walk has begun', async () => (await owner.query('SELECT 1 FROM walks')).rowCount === 1);
    for (let acts = 4 + drawing.below(8); acts > 0; acts -= 1) await act();
    await process.kill();
    await act();
    await endLeases();
  }
  // One that it has recorded is replaced while it is dead.
  const last = launch(chain.rpcUrl);
  await last.untilReady();
  const dropped = await chain.sendTokens('USDT', drawing.oneOf(wallets), 5_000_000n);
  await chain.mine();
  await becomes(dropped, '5.00000000 PENDING');
  await last.kill();
  await chain.reorganise(1);
  await endLeases();
  await chain.mine(FINAL);
  await launch(chain.rpcUrl).untilReady();

  for (const [hash, amounts] of sent) {
    const isOnChain = (await chain.call('eth_getTransactionReceipt', hash)) !== null;
    await becomes(hash, ...(isOnChain ? amounts : []));
  }
  await eventually('the one that was replaced has failed', () => {
    return surroundings.ledger.depositsOf(dropped).join() === '5.00000000 FAILED';
  });
});

/** What the ledger has of a transaction, less what has failed. */
async function becomes(hash: Hex, ...expected: string[]): Promise<void> {
  const wanted = expected.toSorted().join();
  const has = () => surroundings.ledger.depositsOf(hash).filter((deposit) => !deposit.endsWith(' FAILED'));
  await eventually(`of ${hash}, the ledger has ${wanted || 'nothing'}`, () => has().sort().join() === wanted);
}
