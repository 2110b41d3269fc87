/** The commands on chains against the running services: a real chain, the signer, and what an operator types. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extendedPublicKey } from '@stablecoin/addresses/extended-public-key';
import { PublicDepositAddresses } from '@stablecoin/addresses/public-addresses';
import { PublicKeys } from '@stablecoin/contracts/chain/get-public-keys';
import { NetworkTreasury } from '@stablecoin/contracts/chain/get-treasury';
import { WholeTransferView } from '@stablecoin/contracts/chain/get-transfer';
import { NetworkStatus } from '@stablecoin/contracts/chain/status';
import { submitTransfer } from '@stablecoin/contracts/chain/submit-transfer';
import { TransferView, UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { BLOCKS_UNTIL_FINAL } from '@stablecoin/testing/chain';
import { eventually } from '@stablecoin/testing/eventually';
import { ChainService } from '../testing/chain-service';

const PAYEE = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const WHY = ['--reason', 'case 7'];

let service: ChainService;
beforeAll(async () => {
  service = await ChainService.start({ CHAIN_HOT_MIN: 'USDT:6000' });
});
afterAll(() => service.stop());

const status = async (): Promise<NetworkStatus> => {
  const { networks } = await service.answer<{ networks: NetworkStatus[] }>('status');
  const [polygon] = networks;
  if (!polygon || networks.length > 1) throw new Error('polygon alone has a node');
  return polygon;
};
const unrecognised = (...args: string[]) => service.answer<Page<UnrecognisedView>>('unrecognised', ...args);

/** A transfer that is credited to no one: USDC to the address of a wallet of USDT. */
async function strayTransfer(index: number): Promise<UnrecognisedView> {
  const { address } = await service.wallet('USDT', index);
  const hash = await service.chain.sendTokens('USDC', address, 7_000_000n);
  await service.chain.mine();
  return eventually('it is listed', async () =>
    (await unrecognised()).items.find(({ transaction_hash }) => transaction_hash === hash),
  );
}

/** Takes a payout of USDT that waits: the hot wallet has not so much. */
async function waitingPayout(): Promise<string> {
  const reference = randomUUID();
  const terms = { network: 'polygon', currency: 'USDT', to: PAYEE, amount: '900000' } as const;
  await service.ask(submitTransfer, { reference, ...terms });
  return reference;
}

it('status: the walk, each node, what is unconfirmed and the hot wallet', async () => {
  await service.chain.mine(BLOCKS_UNTIL_FINAL);
  const head = await service.chain.height();
  const found = await eventually('the walk is there, and the hot wallet is read', async () => {
    const now = await status();
    return now.tip === head && now.hot_wallet?.tokens[0]?.units === '5000000000' ? now : undefined;
  });
  expect(found).toMatchObject({
    ...{ network: 'polygon', chain_id: 137, head, oldest_unconfirmed_deposit: null, rescan_from: null },
    nodes: [{ node: new URL(service.chain.rpcUrl).host, head, behind: 0, failure: null }],
    hot_wallet: { address: service.hot.toLowerCase(), tokens: [{ currency: 'USDT', amount: '5000.00000000' }, {}] },
  });
  const { out } = await service.operate(['status', '--network', 'polygon']);
  expect(out).toMatch(new RegExp(`^polygon \\(Polygon, chain 137\\): walked to ${head} `));
  expect(out).toContain('5000.00000000 USDT');
  expect(await service.operate(['status', '--network', 'erc20'])).toEqual({
    ...{ code: 1, out: '' },
    err: 'error: The chain service has no node of this network.\n',
  });
});

it('unrecognised: listed, filtered, and resolved once with who and why', async () => {
  const [stray, other] = [await strayTransfer(1), await strayTransfer(2)];
  expect(stray).toMatchObject({ reason: 'wrong_currency', amount: '7.00000000', network: 'polygon' });
  expect((await unrecognised('list', '--reason', 'wrong_currency', '--limit', '1')).total).toBe(2);
  expect((await unrecognised('list', '--reason', 'customer_closed')).items).toEqual([]);
  expect((await service.operate(['unrecognised'])).out).toMatch(/^ID +NETWORK +WHY [^]*Page 1 of 1: 2 in all\.\n$/);

  const ignored = ['unrecognised', 'resolve', stray.id, '--ignore', ...WHY];
  expect(await service.operate(ignored)).toMatchObject({ code: 0, out: `${stray.id}: ignore.\n` });
  expect(await service.operate(ignored)).toMatchObject({ code: 1, err: expect.stringMatching(/resolved already/) });
  const hash = `0x${'ab'.repeat(32)}`;
  expect(
    await service.answer(`unrecognised resolve ${other.id} --returned ${hash} --actor Eve`, '--reason', 'case 8'),
  ).toEqual({ id: other.id, resolution: 'returned' });
  expect(
    await service.sql('SELECT resolution, actor, reason, transaction_hash FROM resolutions ORDER BY created_at'),
  ).toEqual([
    { resolution: 'ignore', actor: 'Ada Obi', reason: 'case 7', transaction_hash: null },
    { resolution: 'returned', actor: 'Eve', reason: 'case 8', transaction_hash: hash },
  ]);
  expect((await unrecognised()).total).toBe(0);
  // Also the one that was refused: each is on the record before the chain service is asked.
  const act = { action: 'chain unrecognised resolve', actor: 'Ada Obi', reason: 'case 7' };
  const details = { deposit: stray.id, resolution: 'ignore', wallet: null, transaction: null };
  expect(await service.acts()).toMatchObject([
    { ...act, details },
    { ...act, details },
    {
      ...act,
      actor: 'Eve',
      reason: 'case 8',
      details: { deposit: other.id, resolution: 'returned', transaction: hash },
    },
  ]);
});

it('unrecognised: nothing is resolved where the act can not be recorded', async () => {
  const stray = await strayTransfer(19);
  const ignored = ['unrecognised', 'resolve', stray.id, '--ignore', ...WHY];
  const away = { CUSTOMER_DATABASE_URL: 'postgresql://none:none@127.0.0.1:1/none' };
  expect(await service.operate(ignored, away)).toMatchObject({
    code: 2,
    err: expect.stringMatching(/database does not answer/),
  });
  expect((await unrecognised()).items.map(({ id }) => id)).toEqual([stray.id]);
  expect(await service.operate(ignored)).toMatchObject({ code: 0 });
});

it('unrecognised: is credited to a wallet of its currency and to no other', async () => {
  const stray = await strayTransfer(3);
  const [right, wrong] = [await service.wallet('USDC', 4), await service.wallet('USDT', 5)];
  const to = (wallet: string) => service.operate(['unrecognised', 'resolve', stray.id, '--credit', wallet, ...WHY]);
  expect(await to(wrong.id)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/can not be credited to this wallet/),
  });
  expect(await to(randomUUID())).toMatchObject({ code: 1, err: 'error: There is no such wallet.\n' });
  expect(await to(right.id)).toMatchObject({ code: 0 });
});

it('rescan: blocks are looked at again, on a network that is walked', async () => {
  expect(await service.answer('rescan --network polygon --from 1')).toEqual({ network: 'polygon', from_block: 1 });
  const refused = await service.operate(['rescan', '--network', 'bep20', '--from', '1']);
  expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^error: The network is not walked/) });
});

it('treasury: what is where, the limits, and the dust', async () => {
  const { address } = await service.wallet('USDT', 6);
  await service.chain.sendTokens('USDT', address, 3_000_000n);
  await service.chain.mine(BLOCKS_UNTIL_FINAL);
  const treasury = () => service.answer<{ networks: NetworkTreasury[] }>('treasury --network polygon');
  const { networks } = await eventually('the address is read', async () => {
    const read = await treasury();
    return read.networks[0]?.tokens.some(({ below_threshold }) => below_threshold.units === '3000000') && read;
  });
  expect(networks[0]).toMatchObject({
    ...{ coin: 'POL', hot_address: service.hot.toLowerCase(), cold_address: null, fees_wei: '0', gas_wei: '0' },
    tokens: [
      {
        ...{ currency: 'USDT', hot: { amount: '5000.00000000' }, hot_min: '6000.00000000', sweep_above: null },
        ...{ cold: null, below_threshold: { addresses: 1 }, to_sweep: { addresses: 0 }, rest_units: '0' },
      },
      { currency: 'USDC', hot: { amount: '0.00000000' }, hot_min: null },
    ],
  });
  expect((await service.operate(['treasury'])).out).toMatch(
    /^polygon: read at block \d+.*\nTOKEN +TO SWEEP +BELOW +HOT /,
  );
});

it('transfer and cancel: by name, with who and why', async () => {
  const reference = await waitingPayout();
  const held = await eventually('it is held', async () => {
    const transfer = await service.answer<WholeTransferView>(`transfer ${reference}`);
    return transfer.held_by === 'turn' ? undefined : transfer;
  });
  expect(held).toMatchObject({ kind: 'payout', state: 'waiting', to_address: PAYEE.toLowerCase(), attempts: [] });
  expect((await status()).oldest_unconfirmed_payout).toMatchObject({ reference, state: 'waiting' });
  expect(Object.values((await status()).waiting)).toEqual([1]);

  expect(await service.answer<TransferView>(`cancel ${reference}`, ...WHY)).toMatchObject({
    ...{ state: 'failed', failure: 'cancelled', cancelled_by: 'Ada Obi' },
  });
  expect(await service.answer(`transfer ${reference}`)).toMatchObject({ cancel_reason: 'case 7', held_by: null });
  const { out } = await service.operate(['transfer', reference]);
  expect(out).toContain('Ada Obi: case 7');
  expect(out).toContain('900000.00000000 USDT');
  const listed = await service.answer<Page<TransferView>>('transfers --state failed');
  expect(listed.items.map((each) => each.reference)).toEqual([reference]);
  for (const command of [
    ['transfer', 'nothing'],
    ['cancel', 'nothing', ...WHY],
  ])
    expect(await service.operate(command)).toEqual({ code: 1, out: '', err: 'error: There is no such transfer.\n' });
  const address = ['--network', 'polygon', '--address', PAYEE];
  expect(await service.operate(['resume', ...address, ...WHY])).toMatchObject({
    ...{ code: 1, err: 'error: Nothing was ever sent from this address.\n' },
  });
});

it('addresses: what a ledger without the seed needs, in a file that is never written over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pool-'));
  const pool = join(folder, 'pool.txt');
  const keys = await service.answer<PublicKeys>('addresses --solana 3');
  const parents = new PublicDepositAddresses({
    evmParent: extendedPublicKey(keys.evm_parent),
    tronParent: extendedPublicKey(keys.tron_parent ?? ''),
    solanaPool: keys.solana,
  });
  const { address } = await service.wallet('USDT', 9);
  expect(parents.derive('polygon', 9).toLowerCase()).toBe(address.toLowerCase());
  expect(keys.solana).toHaveLength(3);
  const written = ['addresses', '--solana', '205', '--pool', pool];
  expect(await service.operate(written)).toMatchObject({
    code: 0,
    out: `DEPOSIT_EVM_PARENT=${keys.evm_parent}\nDEPOSIT_TRON_PARENT=${keys.tron_parent ?? ''}\n`,
  });
  const lines = readFileSync(pool, 'utf8').trimEnd().split('\n');
  expect([lines.length, new Set(lines).size, lines.slice(0, 3)]).toEqual([205, 205, keys.solana]);
  expect(await service.operate(written)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/pool\.txt was not written: it is there already/),
  });
  rmSync(folder, { recursive: true });
});

it('a service that is away is an outage, and is named', async () => {
  await service.stopChainService();
  expect(await service.operate(['status'])).toEqual({
    ...{ code: 2, out: '', err: 'error: The chain service does not answer: does it run?\n' },
  });
  const rescan = await service.operate(['rescan', '--network', 'polygon', '--from', '1']);
  expect(rescan).toMatchObject({ code: 2 });
});
