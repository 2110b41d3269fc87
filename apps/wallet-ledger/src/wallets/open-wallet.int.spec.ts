import { randomUUID } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { OpenWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { commandOf } from '@stablecoin/testing/command-of';
import { Client } from 'pg';
import { DEPOSIT_SEED, Instance, RunningShards } from '../testing/running-shards';
import { ShardWriter } from '../event-log/shard-writer';
import { OpenWalletHandler } from './open-wallet.handler';

let ledger: RunningShards;
let instance: Instance;

beforeEach(async () => {
  ledger = await RunningShards.start();
  instance = await ledger.newInstance({ shards: 1, checkpointIntervalMs: 60_000 });
  await instance.shards.onApplicationBootstrap();
});

afterEach(() => ledger.stop());

interface Opening {
  merchant_id: string;
  network?: 'erc20' | 'solana';
  commandId?: string;
}

/** @returns the addresses of the wallet, or the code of the refusal */
async function open({ commandId, ...terms }: Opening): Promise<string[] | string> {
  const request = Object.assign(
    new OpenWallet(),
    commandOf({ network: 'erc20', currency: 'USDC', ...terms }, commandId),
  );
  const context = { requestId: 'spec', deadline: Date.now() + 5_000, shard: 0 };
  const handler = new OpenWalletHandler(instance.shards, instance.addresses);
  try {
    const { result } = await withRequestContext(context, () => handler.execute(request));
    return result.addresses.map(({ address }) => address);
  } catch (error) {
    return (error as Refusal).code;
  }
}

async function drawn(): Promise<number> {
  const [row] = await ledger.servers.database.$queryRaw<{ value: bigint }[]>`
    SELECT nextval('deposit_address_index') AS value`;
  return Number(row?.value);
}

it('draws one index for each wallet, however many requests are refused, repeated or only add a network', async () => {
  const first = { merchant_id: randomUUID(), commandId: randomUUID() };
  const before = await drawn();
  const [one] = await open(first);
  for (let count = 0; count < 20; count += 1)
    expect(await open({ merchant_id: first.merchant_id })).toBe('wallet_exists');
  expect(await open(first)).toEqual([one]);
  expect(await open({ merchant_id: first.merchant_id, network: 'solana' })).toHaveLength(2);
  const [other] = await open({ merchant_id: randomUUID() });
  expect(other).not.toBe(one);
  // One for each of the two wallets, and the one drawn here.
  expect(await drawn()).toBe(before + 3);
});

it('gives no address twice, though somebody has set the counter back', async () => {
  const before = [];
  for (let count = 0; count < 5; count += 1) before.push(...(await open({ merchant_id: randomUUID() })));
  const owner = new Client({ connectionString: ledger.servers.files.ownerUrl });
  await owner.connect();
  await owner.query('ALTER SEQUENCE deposit_address_index RESTART WITH 0');
  await owner.end();
  const after = [];
  for (let count = 0; count < 5; count += 1) after.push(...(await open({ merchant_id: randomUUID() })));
  expect(new Set([...before, ...after]).size).toBe(10);
  // All that wallets have were passed over at once.
  expect(await drawn()).toBe(10);
});

it('gives no address twice, whatever arrives at once', async () => {
  const merchants = Array.from({ length: 40 }, () => randomUUID());
  const opened = await Promise.all(
    [...merchants, ...merchants, ...merchants].map((merchant_id) => open({ merchant_id })),
  );
  const again = await Promise.all(Array.from({ length: 40 }, () => open({ merchant_id: randomUUID() })));
  const addresses = [...opened, ...again].flatMap((answer) => (typeof answer === 'string' ? [] : answer));
  expect(addresses).toHaveLength(80);
  expect(new Set(addresses).size).toBe(80);
});

it.each([
  ['unknown whether a wallet was opened with it', new Refusal('unavailable'), 2],
  ['certain that none was', Refusal.notExecuted(), 1],
])('uses an index again only when it is certain that no wallet has it: %s', async (_case, refusal, expected) => {
  const before = await drawn();
  const writer = { submit: () => Promise.reject(refusal) } as unknown as ShardWriter;
  jest.spyOn(instance.shards, 'writer').mockReturnValueOnce(writer);
  expect(await open({ merchant_id: randomUUID() })).toBe('unavailable');
  await open({ merchant_id: randomUUID() });
  const wallets = await ledger.servers.database.wallet.findMany();
  expect(wallets.map(({ addressIndex }) => addressIndex - before)).toEqual([expected]);
});

it('refuses an address that there is none left of, and nothing else', async () => {
  const [seeded] = await open({ merchant_id: randomUUID() });
  await ledger.stopInstances();
  const depositEvmParent = HDKey.fromMasterSeed(DEPOSIT_SEED).derive(`m/44'/60'/0'/0`).wipePrivateData();
  const settings = { shards: 1, checkpointIntervalMs: 60_000, depositSeed: null, depositEvmParent };
  instance = await ledger.newInstance(settings);
  await instance.shards.onApplicationBootstrap();

  const merchant_id = randomUUID();
  expect(await open({ merchant_id, network: 'solana' })).toBe('unavailable');
  const index = indexOf(seeded ?? '');
  const [address] = await open({ merchant_id });
  expect(address).toBe(instance.addresses.derive('erc20', index + 1));
  expect(await open({ merchant_id, network: 'solana' })).toBe('unavailable');
  expect(await open({ merchant_id: randomUUID() })).toHaveLength(1);
});

function indexOf(address: string): number {
  const found = Array.from({ length: 10_000 }, (_, index) => index).find(
    (index) => instance.addresses.derive('erc20', index) === address,
  );
  if (found === undefined) throw new Error('the address is none of the seed');
  return found;
}
