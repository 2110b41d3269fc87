/** Deposits on a real chain whose blocks are replaced, on a real Postgres and bus, with a stand-in for the ledger. */
import { randomBytes } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { getDeposit } from '@stablecoin/contracts/chain/get-deposit';
import { rescan } from '@stablecoin/contracts/chain/rescan';
import { RECENT_BLOCKS_MAX, rescanRecent } from '@stablecoin/contracts/chain/rescan-recent';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { BLOCKS_UNTIL_FINAL as FINAL, startChain as startTestChain, TestChain } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { Client } from 'pg';
import { BatchTransfers } from '../testing/batch-transfers';
import { chainSurroundings, ChainSurroundings, RunningChain, startChain } from '../testing/running-service';

const anAddress = (): Hex => `0x${randomBytes(20).toString('hex')}`;

let nats: OwnNats;
let chain: TestChain;
let surroundings: ChainSurroundings;
let owner: Client;
const running: RunningChain[] = [];

beforeEach(async () => {
  [nats, chain] = await Promise.all([startOwnNats(), startTestChain({ blocks: 'ordered' })]);
  surroundings = await chainSurroundings(nats.url);
  owner = new Client({ connectionString: surroundings.database.ownerUrl });
  await owner.connect();
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await owner.end();
  await surroundings.close();
  await Promise.all([nats.stop(), chain.stop()]);
});

async function start(environment: NodeJS.ProcessEnv = {}): Promise<RunningChain> {
  const service = await startChain(surroundings, { CHAIN_RPC_ERC20: chain.rpcUrl, ...environment }, nats.url);
  running.push(service);
  await eventually('the walk has begun', async () => (await owner.query('SELECT 1 FROM walks')).rowCount === 1);
  return service;
}

/** A wallet whose address the service knows. */
async function wallet(currency: 'USDT' | 'USDC' = 'USDT'): Promise<{ address: Hex; id: string; merchantId: string }> {
  const address = anAddress();
  const opened = surroundings.ledger.open(currency, address, 'erc20');
  await surroundings.ledger.publish(opened.fact);
  await eventually('the address is known', () => isChecked(address));
  return { address, id: opened.id, merchantId: opened.merchantId };
}

const isChecked = async (address: Hex) =>
  (await owner.query('SELECT 1 FROM deposit_addresses WHERE address = $1 AND NOT unchecked', [bytes(address)]))
    .rowCount === 1;
const bytes = (hex: Hex) => Buffer.from(hex.slice(2), 'hex');
const deposits = (hash: Hex) => surroundings.ledger.depositsOf(hash);
const has = (hash: Hex, ...expected: string[]) =>
  eventually(`the ledger has ${expected.join(', ')}, and it has ${deposits(hash).join(', ')}`, () => {
    return JSON.stringify(deposits(hash).sort()) === JSON.stringify(expected.sort());
  });
const tipReaches = async (hash: string) =>
  eventually(
    'the walk reaches the block',
    async () => (await owner.query('SELECT 1 FROM walks WHERE tip_hash = $1', [bytes(hash as Hex)])).rowCount === 1,
  );
const headHash = async () => (await chain.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash;
const walked = async () => tipReaches(await headHash());

it('records a deposit at first sight and credits it when its block is final', async () => {
  const service = await start();
  const { address, merchantId } = await wallet();
  const hash = await chain.sendTokens('USDT', address, 12_500_000n);
  await chain.mine();
  const block_number = await chain.height();
  await has(hash, '12.50000000 PENDING');
  await chain.mine(2);
  await walked();
  const [transaction] = surroundings.ledger.transactions.values();
  const asked = { merchant_id: merchantId, transaction_id: transaction!.transaction_id };
  expect(await service.bus.call(getDeposit, asked)).toEqual({
    ...{ network: 'erc20', transaction_hash: hash, block_number, standing: 'included' },
    ...{ confirmations: 3, confirmations_required: null },
  });
  expect(deposits(hash)).toEqual(['12.50000000 PENDING']);
  await chain.mine(FINAL);
  await has(hash, '12.50000000 COMPLETED');
  expect(await service.bus.call(getDeposit, asked)).toMatchObject({ standing: 'final' });
  await expect(
    service.bus.call(getDeposit, { ...asked, merchant_id: surroundings.ledger.open('USDT', '0x').merchantId }),
  ).rejects.toThrow('not_found');
});

it('sees every transfer of a transaction, each once', async () => {
  await start();
  const batches = await BatchTransfers.on(chain);
  const [one, two] = [await wallet(), await wallet()];
  const hash = await batches.send(
    'USDT',
    { to: one.address, units: 1_000_000n },
    { to: anAddress(), units: 7_000_000n },
    { to: two.address, units: 2_000_000n },
    { to: one.address, units: 1_000_000n },
    { to: one.address, units: 0n },
  );
  await chain.mine(1 + FINAL);
  await has(hash, '1.00000000 COMPLETED', '1.00000000 COMPLETED', '2.00000000 COMPLETED');
});

it('counts confirmations, fewer of them for less, where it is told to', async () => {
  await start({ CHAIN_FINALITY_ERC20: '10:2,4' });
  const { address } = await wallet();
  const less = await chain.sendTokens('USDT', address, 10_000_000n);
  const more = await chain.sendTokens('USDT', address, 10_000_001n);
  await chain.mine();
  await walked();
  await has(less, '10.00000000 PENDING');
  await has(more, '10.00000100 PENDING');
  await chain.mine();
  await has(less, '10.00000000 COMPLETED');
  await chain.mine();
  await walked();
  expect(deposits(more)).toEqual(['10.00000100 PENDING']);
  await chain.mine();
  await has(more, '10.00000100 COMPLETED');
});

it('keeps the same deposit when its transaction lands in another block, at another place', async () => {
  await start();
  const batches = await BatchTransfers.on(chain);
  const { address } = await wallet();
  // Logs of another transaction come before its own in its first block, and none in its second one.
  const before = await batches.send('USDC', { to: anAddress(), units: 1n }, { to: anAddress(), units: 1n });
  const hash = await batches.send('USDT', { to: address, units: 3_000_000n }, { to: address, units: 3_000_000n });
  const [rawBefore, raw] = [await chain.rawOf(before), await chain.rawOf(hash)];
  await chain.mine(2);
  await has(hash, '3.00000000 PENDING', '3.00000000 PENDING');
  await chain.reorganise(2, [
    [rawBefore, 0],
    [raw, 1],
  ]);
  await chain.mine();
  await walked();
  await chain.mine(FINAL);
  await has(hash, '3.00000000 COMPLETED', '3.00000000 COMPLETED');
  expect(surroundings.ledger.judged.filter((line) => line.startsWith(hash))).toHaveLength(4);
});

it('fails a deposit whose transaction is gone, once a final block is as high', async () => {
  await start();
  const { address } = await wallet();
  const hash = await chain.sendTokens('USDT', address, 3_000_000n);
  await chain.mine(3);
  await has(hash, '3.00000000 PENDING');
  await chain.reorganise(3);
  await chain.mine();
  await walked();
  expect(deposits(hash)).toEqual(['3.00000000 PENDING']);
  await chain.mine(FINAL);
  await has(hash, '3.00000000 FAILED');
});

it('reverses a deposit that was final, and takes it anew when it comes again', async () => {
  await start();
  const { address } = await wallet();
  const hash = await chain.sendTokens('USDT', address, 3_000_000n);
  const raw = await chain.rawOf(hash);
  await chain.mine(1 + FINAL);
  await has(hash, '3.00000000 COMPLETED');
  await chain.reorganise(1 + FINAL);
  await chain.mine();
  await has(hash, '3.00000000 REVERSED');
  await chain.call('eth_sendRawTransaction', raw);
  await chain.mine(1 + FINAL);
  await has(hash, '3.00000000 REVERSED', '3.00000000 COMPLETED');
});

it('finds what arrived before its address was known', async () => {
  await start();
  const address = anAddress();
  const hash = await chain.sendTokens('USDT', address, 4_000_000n);
  await chain.mine(1 + FINAL);
  await walked();
  expect(deposits(hash)).toEqual([]);
  await surroundings.ledger.publish(surroundings.ledger.open('USDT', address, 'erc20').fact);
  await has(hash, '4.00000000 COMPLETED');
});

it('finds what arrived while it was away, at an address that was assigned while it was away', async () => {
  const first = await start();
  const { address } = await wallet();
  running.splice(running.indexOf(first), 1);
  await first.stop();
  const fresh = anAddress();
  await surroundings.ledger.publish(surroundings.ledger.open('USDT', fresh, 'erc20').fact);
  const [hash, other] = [
    await chain.sendTokens('USDT', address, 4_000_000n),
    await chain.sendTokens('USDT', fresh, 5_000_000n),
  ];
  // More blocks than a pass walks.
  await chain.mine(100);
  await start();
  await has(hash, '4.00000000 COMPLETED');
  await has(other, '5.00000000 COMPLETED');
});

it('keeps an address whose wallet is not known yet until it is', async () => {
  await start();
  const address = anAddress();
  const { id, merchantId, fact } = surroundings.ledger.open('USDT', anAddress(), 'erc20');
  const added: LedgerFact = {
    ...{ ...fact, wallet: undefined, position: fact.position + 1, movement: 'deposit-address-added' },
    deposit_addresses: [{ wallet_id: id, network: 'erc20', address }],
  };
  surroundings.ledger.log.push(added);
  await surroundings.ledger.publish(added);
  await eventually('the address is learned', async () => {
    return (await owner.query('SELECT 1 FROM deposit_addresses WHERE address = $1', [bytes(address)])).rowCount === 1;
  });
  const hash = await chain.sendTokens('USDT', address, 4_000_000n);
  await chain.mine(1 + FINAL);
  await walked();
  expect(await isChecked(address)).toBe(false);
  await surroundings.ledger.publish(fact);
  await has(hash, '4.00000000 COMPLETED');
  const [view] = surroundings.ledger.transactions.values();
  expect(view?.merchant_id).toBe(merchantId);
});

it('sounds the alarm when finality breaks, with a deposit in those blocks or without', async () => {
  await start();
  const { address } = await wallet();
  await chain.mine(2 * FINAL);
  await walked();
  await eventually('blocks are final', async () => {
    return (await owner.query('SELECT 1 FROM walks WHERE final_number > 4')).rowCount === 1;
  });
  const broken = async () =>
    Number(/^chain_finality_broken_total\{network="erc20"\} (\d+)$/m.exec(await metricsText())?.[1]);
  const before = await broken();
  await chain.reorganise(2 * FINAL - 2);
  await chain.mine();
  await walked();
  expect(await broken()).toBe(before + 1);
  const hash = await chain.sendTokens('USDT', address, 4_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '4.00000000 COMPLETED');
});

it('finds what an instance before it missed, when an operator asks', async () => {
  const service = await start();
  const { address } = await wallet();
  const hash = await chain.sendTokens('USDT', address, 4_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '4.00000000 COMPLETED');
  surroundings.ledger.transactions.clear();
  await owner.query('DELETE FROM deposits');
  const other = await chain.sendTokens('USDT', address, 5_000_000n);
  await chain.mine(1 + FINAL);
  await has(other, '5.00000000 COMPLETED');
  await service.bus.call(rescan, { network: 'erc20', from_block: 0 });
  await eventually('the deposit is known again', async () => {
    const { rows } = await owner.query<{ standing: string }>(
      'SELECT standing FROM deposits WHERE transaction_hash = $1',
      [bytes(hash)],
    );
    return rows.length === 1 && rows[0]?.standing === 'final';
  });
  // A second rescan changes nothing.
  const before = await owner.query('SELECT id, version FROM deposits ORDER BY id');
  await service.bus.call(rescan, { network: 'erc20', from_block: 0 });
  await eventually('the rescan has ended', async () => {
    return (await owner.query('SELECT 1 FROM walks WHERE rescan_from IS NULL')).rowCount === 1;
  });
  expect((await owner.query('SELECT id, version FROM deposits ORDER BY id')).rows).toEqual(before.rows);
  await expect(service.bus.call(rescan, { network: 'polygon', from_block: 0 })).rejects.toThrow('not_found');
});

it('finds what was missed in recent blocks, and looks no further back, nor beyond the tip, where people ask', async () => {
  const service = await start();
  const { address } = await wallet();
  const hash = await chain.sendTokens('USDT', address, 4_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '4.00000000 COMPLETED');
  await walked();
  await owner.query('DELETE FROM deposits');
  const ask = (from_block: number, network: 'erc20' | 'polygon' | 'solana' = 'erc20') =>
    service.bus.call(rescanRecent, { network, from_block }).then(
      () => 'asked',
      (error: unknown) =>
        error instanceof Refusal ? error.fields?.map(({ field, code }) => `${field}: ${code}`) : error,
    );
  expect(await ask(0)).toBe('asked');
  await eventually('the deposit is known again', async () => {
    return (await owner.query('SELECT 1 FROM deposits WHERE transaction_hash = $1', [bytes(hash)])).rowCount === 1;
  });
  for (const network of ['polygon', 'solana'] as const) expect(await ask(0, network)).toEqual(['network: not_walked']);
  await eventually('the rescan has ended', async () => {
    return (await owner.query('SELECT 1 FROM walks WHERE rescan_from IS NULL')).rowCount === 1;
  });
  await running.splice(running.indexOf(service), 1)[0]?.stop();
  const another = await startChain(surroundings, {}, nats.url);
  running.push(another);
  const { rows } = await owner.query<{ tip_number: string }>(
    'UPDATE walks SET tip_number = tip_number + $1 RETURNING tip_number',
    [RECENT_BLOCKS_MAX],
  );
  const tip = Number(rows[0]?.tip_number);
  const askAnother = (from_block: number) => another.bus.call(rescanRecent, { network: 'erc20', from_block });
  const refused = (code: string) => expect.objectContaining({ fields: [expect.objectContaining({ code })] }) as Error;
  await expect(askAnother(tip + 1)).rejects.toEqual(refused('beyond_tip'));
  await expect(askAnother(tip - RECENT_BLOCKS_MAX - 1)).rejects.toEqual(refused('too_long_ago'));
  expect((await owner.query('SELECT rescan_from FROM walks')).rows).toEqual([{ rescan_from: null }]);
  for (const block of [tip, tip - RECENT_BLOCKS_MAX])
    expect(await askAnother(block)).toEqual({ network: 'erc20', from_block: block });
  expect((await owner.query('SELECT rescan_from FROM walks')).rows).toEqual([
    { rescan_from: String(tip - RECENT_BLOCKS_MAX) },
  ]);
});

it('asks the ledger again under the same command when an answer is lost', async () => {
  await start();
  const { address } = await wallet();
  surroundings.ledger.lostAnswers = 2;
  const hash = await chain.sendTokens('USDT', address, 6_000_000n);
  await chain.mine(1 + FINAL);
  await has(hash, '6.00000000 COMPLETED');
  expect(surroundings.ledger.judged.filter((line) => line.startsWith(hash))).toEqual([
    `${hash} recorded`,
    `${hash} COMPLETED`,
  ]);
});

it('is walked by one of two instances, and by the other when that one ends', async () => {
  const first = await start();
  await start();
  const { address } = await wallet();
  const hash = await chain.sendTokens('USDT', address, 6_000_000n);
  await chain.mine();
  await has(hash, '6.00000000 PENDING');
  running.splice(running.indexOf(first), 1);
  await first.stop();
  await chain.mine(FINAL);
  await has(hash, '6.00000000 COMPLETED');
  expect(surroundings.ledger.judged.filter((line) => line.startsWith(hash))).toHaveLength(2);
  const { rows } = await owner.query('SELECT count(DISTINCT holder)::int AS holders FROM walk_leases');
  expect(rows).toEqual([{ holders: 1 }]);
});
