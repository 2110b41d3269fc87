import { randomUUID } from 'node:crypto';
import { OpenWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { commandOf } from '@stablecoin/testing/command-of';
import { LedgerDatabases } from '../databases/ledger-databases';
import { Instance, RunningShards } from '../testing/running-shards';
import { OpenWalletHandler } from '../wallets/open-wallet.handler';
import { FindDepositAddressHandler } from './find-deposit-address.handler';

let ledger: RunningShards;
let instance: Instance;
let reads: LedgerReads;

beforeAll(async () => {
  ledger = await RunningShards.start();
  instance = await ledger.newInstance({ shards: 1, checkpointIntervalMs: 60_000 });
  await instance.shards.onApplicationBootstrap();
  reads = new LedgerReads({ url: ledger.servers.files.url, applicationName: 'spec', poolSize: 2 });
});
afterAll(async () => {
  await reads.$disconnect();
  await ledger.stop();
});

async function addressOn(network: 'erc20' | 'solana' | 'trc20'): Promise<string> {
  const request = Object.assign(new OpenWallet(), commandOf({ network, currency: 'USDT', merchant_id: randomUUID() }));
  const handler = new OpenWalletHandler(instance.shards, instance.addresses);
  const context = { requestId: 'spec', deadline: Date.now() + 5_000, shard: 0 };
  const { result } = await withRequestContext(context, () => handler.execute(request));
  return result.addresses[0]?.address as string;
}

const isOurs = async (address: string) =>
  (await new FindDepositAddressHandler(LedgerDatabases.only(reads)).execute({ address })).is_ours;

describe('a deposit address of ours', () => {
  it('is known on an EVM network in any case of its letters', async () => {
    const address = await addressOn('erc20');
    const hex = address.slice(2);
    for (const text of [address, `0x${hex.toLowerCase()}`, `0x${hex.toUpperCase()}`])
      expect(await isOurs(text)).toBe(true);
  });

  it.each(['trc20', 'solana'] as const)('is known on %s as it is written, and as nothing else', async (network) => {
    const address = await addressOn(network);
    expect([await isOurs(address), await isOurs(address.toLowerCase())]).toEqual([true, false]);
  });

  it('is no one else’s', async () => {
    await addressOn('erc20');
    expect(await isOurs('0x52908400098527886E0F7030069857D2E4169EE7')).toBe(false);
    expect(await isOurs('')).toBe(false);
  });

  it('is looked for with all that are asked for at the moment, in one statement', async () => {
    const [ours, text] = [await addressOn('erc20'), 'no "address", \\ {}'];
    const $queryRaw = jest.fn((...query: Parameters<LedgerReads['$queryRaw']>) => reads.$queryRaw(...query));
    const handler = new FindDepositAddressHandler(LedgerDatabases.only({ $queryRaw } as unknown as LedgerReads));
    const asked = [ours, text, ours.toLowerCase(), ''].map((address) => handler.execute({ address }));
    expect((await Promise.all(asked)).map(({ is_ours }) => is_ours)).toEqual([true, false, true, false]);
    expect($queryRaw).toHaveBeenCalledTimes(1);
  });

  it('is found by an index, however many there are', async () => {
    const [row] = await reads.$queryRaw<{ indexdef: string }[]>`
      SELECT indexdef FROM pg_indexes WHERE tablename = 'deposit_addresses' AND indexdef LIKE '%(address)'`;
    expect(row?.indexdef).toContain('deposit_addresses_by_address');
  });
});
