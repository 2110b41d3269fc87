/** Transfers that are not credited by themselves, and what operators decide on them. */
import { randomBytes } from 'node:crypto';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { getDeposit } from '@stablecoin/contracts/chain/get-deposit';
import { listUnrecognised } from '@stablecoin/contracts/chain/list-unrecognised';
import { resolveUnrecognised } from '@stablecoin/contracts/chain/resolve-unrecognised';
import { UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { BLOCKS_UNTIL_FINAL as FINAL, startChain as startTestChain, TestChain } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { asRole } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { DEPOSIT_COLUMNS, DepositRow } from '../deposits/deposit-rows';
import { DepositStore } from '../deposits/deposit-store';
import { ChainDatabase } from '../persistence/chain-database';
import { chainSurroundings, ChainSurroundings, RunningChain, startChain } from '../testing/running-service';

const COIN = 10n ** 18n;
const BY = { actor: 'ada', reason: 'ticket 7' };
const anAddress = (): Hex => `0x${randomBytes(20).toString('hex')}`;

let nats: OwnNats;
let chain: TestChain;
let surroundings: ChainSurroundings;
let service: RunningChain;

beforeAll(async () => {
  [nats, chain] = await Promise.all([startOwnNats(), startTestChain({ network: 'bep20', blocks: 'ordered' })]);
  surroundings = await chainSurroundings(nats.url);
  service = await startChain(surroundings, { CHAIN_RPC_BEP20: chain.rpcUrl }, nats.url);
});

afterAll(async () => {
  await service.stop();
  await surroundings.close();
  await Promise.all([nats.stop(), chain.stop()]);
});

async function wallet(currency: 'USDT' | 'USDC', network: 'bep20' | 'erc20' = 'bep20') {
  const address = anAddress();
  const opened = surroundings.ledger.open(currency, address, network);
  await surroundings.ledger.publish(opened.fact);
  return { ...opened, address };
}

/** Sends it and waits until it is on the list. */
async function listed(send: () => Promise<Hex>): Promise<UnrecognisedView> {
  const hash = await send();
  await chain.mine();
  return eventually('it is listed', async () => {
    const { items } = await service.bus.call(listUnrecognised, { page: 1, limit: 100 });
    return items.find(({ transaction_hash }) => transaction_hash === hash);
  });
}

const listedTransfer = (currency: TokenCurrency, to: Hex, units: bigint) =>
  listed(() => chain.sendTokens(currency, to, units));

const isListed = async (id: string) => {
  const { items } = await service.bus.call(listUnrecognised, { network: 'bep20', page: 1, limit: 100 });
  return items.some((item) => item.id === id);
};

it('lists each with its reason, and credits none', async () => {
  const [usdt, elsewhere, closed] = [await wallet('USDT'), await wallet('USDT', 'erc20'), await wallet('USDT')];
  surroundings.ledger.closed.add(closed.id);
  const unknown = await wallet('USDT');
  surroundings.ledger.forget(unknown.id);
  const found = [
    await listedTransfer('USDC', usdt.address, COIN),
    await listedTransfer('USDT', elsewhere.address, COIN),
    await listedTransfer('USDT', usdt.address, 999_999_999_999n),
    await listedTransfer('USDT', closed.address, COIN),
    await listedTransfer('USDT', unknown.address, COIN),
  ];
  expect(found.map(({ reason, units, amount }) => [reason, units, amount])).toEqual([
    ['wrong_currency', String(COIN), '1.00000000'],
    ['network_without_address', String(COIN), '1.00000000'],
    ['below_smallest_unit', '999999999999', '0.00000000'],
    ['customer_closed', String(COIN), '1.00000000'],
    ['unknown_wallet', String(COIN), '1.00000000'],
  ]);
  expect(found[0]).toMatchObject({
    ...{ network: 'bep20', currency: 'USDC', to_address: usdt.address, wallet_id: usdt.id },
    ...{ merchant_id: usdt.merchantId, standing: 'included' },
  });
  await chain.mine(FINAL);
  await eventually('all are final', async () => {
    const { items } = await service.bus.call(listUnrecognised, { page: 1, limit: 100 });
    return items.every(({ standing }) => standing === 'final');
  });
  expect(found.flatMap(({ transaction_hash }) => surroundings.ledger.depositsOf(transaction_hash as Hex))).toEqual([]);
});

it('lists what no list has as a token, and never credits it', async () => {
  const { address, id: walletId, merchantId } = await wallet('USDT');
  const token = anAddress();
  await chain.deploy('UnmovedToken', token);
  const found = await listed(() => chain.callContract('UnmovedToken', token, 'transfer', [address, 7n * COIN]));
  expect(found).toMatchObject({
    ...{ reason: 'unknown_token', token, currency: null, amount: null, units: String(7n * COIN) },
    ...{ wallet_id: walletId, merchant_id: merchantId },
  });
  const { items } = await service.bus.call(listUnrecognised, { reason: 'wrong_currency', page: 1, limit: 100 });
  expect(items.map(({ id }) => id)).not.toContain(found.id);
  const credit = { id: found.id, resolution: 'credit', wallet_id: walletId, ...BY } as const;
  await expect(service.bus.call(resolveUnrecognised, credit)).rejects.toThrow('unsupported_pair');
  await service.bus.call(resolveUnrecognised, { id: found.id, resolution: 'ignore', ...BY });
  expect(await isListed(found.id)).toBe(false);
});

it('passes transfers of nothing over', async () => {
  const { address } = await wallet('USDT');
  const nothing = await chain.sendTokens('USDC', address, 0n);
  const { id } = await listedTransfer('USDC', address, 1n);
  const { items } = await service.bus.call(listUnrecognised, { page: 1, limit: 100 });
  expect(items.map(({ transaction_hash }) => transaction_hash)).not.toContain(nothing);
  expect(items.map((item) => item.id)).toContain(id);
});

it('keeps what is finer than the ledger books beside what is credited', async () => {
  const { address } = await wallet('USDT');
  const hash = await chain.sendTokens('USDT', address, COIN + 123n);
  await chain.mine(1 + FINAL);
  await eventually('it is credited', () => surroundings.ledger.depositsOf(hash).includes('1.00000000 COMPLETED'));
  const reader = new Client({ connectionString: surroundings.database.ownerUrl });
  await reader.connect();
  const { rows } = await reader.query('SELECT rest_units FROM deposits WHERE transaction_hash = $1', [
    Buffer.from(hash.slice(2), 'hex'),
  ]);
  await reader.end();
  expect(rows).toEqual([{ rest_units: '123' }]);
});

it('credits one to a wallet of its currency, and only once', async () => {
  const [usdt, usdc] = [await wallet('USDT'), await wallet('USDC')];
  const { id, transaction_hash } = await listedTransfer('USDC', usdt.address, 2n * COIN);
  const credit = { id, resolution: 'credit', ...BY } as const;
  const resolve = (wallet_id?: string) => service.bus.call(resolveUnrecognised, { ...credit, wallet_id });
  await expect(resolve()).rejects.toThrow('validation_failed');
  await expect(resolve(id)).rejects.toThrow('wallet_not_found');
  await expect(resolve(usdt.id)).rejects.toThrow('unsupported_pair');
  await eventually('the wallet is known', () =>
    resolve(usdc.id).then(
      () => true,
      (error: Error) => {
        if (error.message !== 'wallet_not_found') throw error;
        return false;
      },
    ),
  );
  await expect(resolve(usdc.id)).rejects.toThrow('invalid_transition');
  await chain.mine(FINAL);
  const hash = transaction_hash as Hex;
  await eventually('it is credited', () => surroundings.ledger.depositsOf(hash).includes('2.00000000 COMPLETED'));
  expect(surroundings.ledger.depositsOf(hash)).toHaveLength(1);
  const [view] = [...surroundings.ledger.transactions.values()].filter((each) => each.crypto_transaction_id === hash);
  expect(view).toMatchObject({ receiver_wallet_id: usdc.id, merchant_id: usdc.merchantId });
  const asked = { merchant_id: usdc.merchantId, transaction_id: view!.transaction_id };
  expect(await service.bus.call(getDeposit, asked)).toMatchObject({ transaction_hash: hash });
});

it('takes one off the list that is ignored, or was returned by hand, and records who and why', async () => {
  const { address } = await wallet('USDT');
  const [ignored, returned] = [
    await listedTransfer('USDC', address, 3n),
    await listedTransfer('USDC', address, 5n * COIN),
  ];
  await expect(
    service.bus.call(resolveUnrecognised, { id: returned.id, resolution: 'returned', ...BY }),
  ).rejects.toThrow('validation_failed');
  await service.bus.call(resolveUnrecognised, { id: ignored.id, resolution: 'ignore', ...BY });
  await service.bus.call(resolveUnrecognised, {
    ...{ id: returned.id, resolution: 'returned', transaction_hash: '0xback', ...BY },
  });
  expect([await isListed(ignored.id), await isListed(returned.id)]).toEqual([false, false]);
  const reader = new Client({ connectionString: surroundings.database.ownerUrl });
  await reader.connect();
  const { rows } = await reader.query(
    `SELECT resolution, transaction_hash, actor, reason FROM resolutions WHERE deposit_id = ANY ($1) ORDER BY created_at`,
    [[ignored.id, returned.id]],
  );
  await reader.end();
  expect(rows).toEqual([
    { resolution: 'ignore', transaction_hash: null, ...BY },
    { resolution: 'returned', transaction_hash: '0xback', ...BY },
  ]);
});

it('keeps a decision that falls between the beginning and the end of a look at the deposit', async () => {
  const [usdt, usdc] = [await wallet('USDT'), await wallet('USDC')];
  const [credited, ignored] = [
    await listedTransfer('USDC', usdt.address, 6n * COIN),
    await listedTransfer('USDC', usdt.address, 7n),
  ];
  await chain.mine(FINAL);
  const database = service.app.get(ChainDatabase);
  const taken = (id: string) =>
    eventually('it is final, and nothing is due', async () => {
      const [row] = await database.$queryRaw<DepositRow[]>`
        SELECT ${DEPOSIT_COLUMNS} FROM deposits
        WHERE id = ${id}::uuid AND standing = 'final' AND next_step_at IS NULL`;
      return row;
    });
  const [one, other] = [await taken(credited.id), await taken(ignored.id)];
  await service.bus.call(resolveUnrecognised, { id: one.id, resolution: 'credit', wallet_id: usdc.id, ...BY });
  await service.bus.call(resolveUnrecognised, { id: other.id, resolution: 'ignore', ...BY });
  const [now] = await database.$queryRaw<{ version: number }[]>`
    SELECT version FROM deposits WHERE id = ${one.id}::uuid`;
  expect(now?.version).toBeGreaterThan(one.version);
  const store = service.app.get(DepositStore);
  await Promise.all([store.finish(one), store.finish(other)]);
  const hash = credited.transaction_hash as Hex;
  await eventually('it is credited', () => surroundings.ledger.depositsOf(hash).join() === '6.00000000 COMPLETED');
  expect(await isListed(other.id)).toBe(false);
});

it('lets the service only add to what was decided', async () => {
  const app = new Client({ connectionString: asRole(surroundings.database.ownerUrl, 'chain_app') });
  await app.connect();
  await expect(app.query(`UPDATE resolutions SET actor = 'eve'`)).rejects.toThrow(/permission denied/);
  await expect(app.query('DELETE FROM resolutions')).rejects.toThrow(/permission denied/);
  await expect(app.query('DELETE FROM deposits')).rejects.toThrow(/permission denied/);
  await app.end();
});
