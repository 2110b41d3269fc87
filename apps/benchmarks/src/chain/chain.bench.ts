/**
 * What money on a chain costs beside the sandbox's rail, and how fast deposits are seen, on one stack with a local chain:
 *
 * | part     | beside it                     | figures                                                                   |
 * |----------|-------------------------------|---------------------------------------------------------------------------|
 * | payouts  | on trc20, by the sandbox      | processor time of our services for each, until settled; ratio             |
 * | deposits | on trc20, by the sandbox      | the same; on the chain sent by the faucet, in the sandbox by a request     |
 * | watching | 10,000 and 1,000,000 known    | recorded per second after the watcher was stopped for 5,000 deposits,      |
 * |          | addresses                     | resident memory of the chain service                                      |
 *
 * Processor time is that of our services, without Postgres, NATS and the chain, less what they use in the same time without
 * work: the watcher asks for blocks also while nothing comes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { given } from '@stablecoin/benchmarking/given';
import { median, paced } from '@stablecoin/benchmarking/measure';
import { progress, report } from '@stablecoin/benchmarking/report';
import type { ChainDescription } from '@stablecoin/local-stack/description';
import { eventually } from '@stablecoin/testing/eventually';
import { dataOf, MerchantClient, successOf } from '@stablecoin/testing/merchant-client';
import type { Hex } from 'viem';
import { processorMs } from '../processor-time';
import { residentMb } from '../resident-memory';
import { settled } from '../settled';
import { Faucet } from './faucet';
import { WatchedAddresses } from './watched-addresses';

const SERVICES = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout', 'chain', 'signer'] as const;
const SANDBOX = 'trc20';
const CHAIN = 'erc20';
const ROUNDS = 5;
/** Below what a lane sends at once, so that none of them waits for a block. */
const PER_SECOND = 8;
const SECONDS = 15;
const IDLE_SECONDS = 10;
const WATCHED = 5_000;
const IN_A_BATCH = 100;
const ADDRESSES = [10_000, 1_000_000];
const RECEIVING = 10_000;
const RECORDED_WITHIN_MS = 300_000;
const POLL_MS = 50;
const UNITS = 1_000_000n;
const ELSEWHERE: Readonly<Record<string, string>> = {
  [SANDBOX]: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
  [CHAIN]: '0x52908400098527886E0F7030069857D2E4169EE7',
};

interface Wallet {
  id: string;
  addresses: { network: string; address: string }[];
}

interface Cost {
  sandbox: number;
  chain: number;
}

async function main(): Promise<void> {
  const pids = JSON.parse(given('STACK_PIDS')) as Record<string, number>;
  const chain = (JSON.parse(given('STACK_CHAINS')) as ChainDescription[]).find(({ network }) => network === CHAIN);
  if (!chain) throw new Error(`the stack has no chain of ${CHAIN}`);
  const service = new MerchantClient({ baseUrl: given('BASE_URL'), apiKey: given('API_KEY'), connections: 32 });
  const addresses = await WatchedAddresses.in(given('BENCHMARK_CHAIN_OWNER_URL'));
  try {
    const meter = new ServiceMeter(SERVICES.map((name) => pids[name]).filter((pid) => pid !== undefined));
    const faucet = await Faucet.of(chain);
    await dataOf(service.post('/wallets', { currency: 'USDT', network: SANDBOX }));
    const wallet = await dataOf(service.post<Wallet>('/wallets', { currency: 'USDT', network: CHAIN }));
    await successOf(service.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '1000000', network: SANDBOX }));
    const costs = await costsOf(service, faucet, wallet, meter);
    const watching = await watchingFigures(addresses, faucet, wallet.id, pids['chain'] as number);
    report({ ...costs, ...watching, rounds: ROUNDS }, process.argv.includes('--json'));
  } finally {
    service.close();
    await addresses.close();
  }
}

/** Measures processor time of the services beyond that of doing nothing. */
class ServiceMeter {
  private idleMsPerMs = 0;

  constructor(private readonly pids: readonly number[]) {}

  async restFor(seconds: number): Promise<void> {
    const [used, began] = [processorMs(this.pids), performance.now()];
    await delay(seconds * 1_000);
    this.idleMsPerMs = (processorMs(this.pids) - used) / (performance.now() - began);
  }

  async of(work: () => Promise<void>): Promise<number> {
    const [used, began] = [processorMs(this.pids), performance.now()];
    await work();
    const busy = processorMs(this.pids) - used;
    return busy - this.idleMsPerMs * (performance.now() - began);
  }
}

async function costsOf(service: MerchantClient, faucet: Faucet, wallet: Wallet, meter: ServiceMeter) {
  const address = wallet.addresses.find(({ network }) => network === CHAIN)?.address as Hex;
  const payout = (network: string) => () =>
    successOf(
      service.post('/payouts/wallets', { currency: 'USDT', amount: '1', network, address: ELSEWHERE[network] }),
    );
  const deposits: Record<keyof Cost, () => Promise<unknown>> = {
    sandbox: () =>
      successOf(service.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '1', network: SANDBOX })),
    chain: () => faucet.pay({ to: address, units: UNITS }),
  };
  const payouts = { sandbox: payout(SANDBOX), chain: payout(CHAIN) };
  const each = async (work: () => Promise<unknown>): Promise<number> => {
    const ms = await meter.of(async () => {
      const before = await transactionsOf(service);
      await paced(() => work().then(() => undefined), PER_SECOND, SECONDS);
      // A deposit over a chain is one only when its block has been walked.
      await eventually(
        'all are accepted',
        async () => (await transactionsOf(service)) >= before + PER_SECOND * SECONDS,
        { timeoutMs: RECORDED_WITHIN_MS, pollMs: POLL_MS },
      );
      await settled(service);
    });
    return ms / (PER_SECOND * SECONDS);
  };
  const rounds: { payouts: Cost; deposits: Cost }[] = [];
  progress(`warming up, then ${ROUNDS} rounds of four times ${SECONDS} s`);
  for (let round = 0; round <= ROUNDS; round += 1) {
    await meter.restFor(IDLE_SECONDS);
    const costs = {
      deposits: { sandbox: await each(deposits.sandbox), chain: await each(deposits.chain) },
      payouts: { sandbox: await each(payouts.sandbox), chain: await each(payouts.chain) },
    };
    if (round > 0) rounds.push(costs);
    progress(`round ${round}: payout ${costText(costs.payouts)}, deposit ${costText(costs.deposits)}`);
  }
  return {
    ...costFigures(
      'payout',
      rounds.map((one) => one.payouts),
    ),
    ...costFigures(
      'deposit',
      rounds.map((one) => one.deposits),
    ),
  };
}

async function transactionsOf(service: MerchantClient): Promise<number> {
  const { body } = await service.get('/transactions?limit=1');
  return Number(body.pagination?.['total']);
}

const costText = ({ sandbox, chain }: Cost): string => `${sandbox.toFixed(1)} → ${chain.toFixed(1)} ms`;

const costFigures = (kind: string, costs: readonly Cost[]) => ({
  [`${kind}_sandbox_cpu_ms`]: median(costs.map(({ sandbox }) => sandbox)),
  [`${kind}_chain_cpu_ms`]: median(costs.map(({ chain }) => chain)),
  [`${kind}_chain_to_sandbox`]: median(costs.map(({ sandbox, chain }) => chain / sandbox)),
});

async function watchingFigures(addresses: WatchedAddresses, faucet: Faucet, walletId: string, pid: number) {
  const figures: Record<string, number> = {};
  for (const count of ADDRESSES) {
    await addresses.grow(count, walletId);
    const perSecond = await recordedPerSecond(addresses, faucet, pid);
    const mb = residentMb(pid) ?? Number.NaN;
    progress(`${count} addresses: ${Math.round(perSecond)} deposits/s, ${Math.round(mb)} MB`);
    figures[`addresses_${count}_deposits_per_second`] = perSecond;
    figures[`addresses_${count}_chain_mb`] = mb;
  }
  return figures;
}

/** The watcher is stopped while the deposits are sent, so that the chain's own pace does not count. */
async function recordedPerSecond(addresses: WatchedAddresses, faucet: Faucet, pid: number): Promise<number> {
  const before = await addresses.recorded();
  process.kill(pid, 'SIGSTOP');
  try {
    let last: Hex | undefined;
    for (let sent = 0; sent < WATCHED; sent += IN_A_BATCH) {
      last = await faucet.payMany(
        Array.from({ length: IN_A_BATCH }, (_, index) => ({
          to: WatchedAddresses.address(((sent + index) * 7_919) % RECEIVING),
          units: UNITS,
        })),
      );
    }
    if (last) await faucet.included(last);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  const began = performance.now();
  while ((await addresses.recorded()) < before + WATCHED) {
    if (performance.now() - began > RECORDED_WITHIN_MS) throw new Error('the deposits were not recorded in time');
    await delay(POLL_MS);
  }
  return (WATCHED * 1_000) / (performance.now() - began);
}

void main();
