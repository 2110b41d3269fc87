/**
 * Payouts per second over HTTP, through all five processes, out of one hot wallet, beside a bare echo of the same
 * body. Both in turns, with the same generator on the same machine. Then the latency at half of that load.
 */
import { fork } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { given } from '@stablecoin/benchmarking/given';
import { median, paced, percentile, sustained } from '@stablecoin/benchmarking/measure';
import { progress, report } from '@stablecoin/benchmarking/report';
import { dataOf, MerchantClient, successOf } from '@stablecoin/testing/merchant-client';
import { settled } from './settled';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 5;
const ROUND_SECONDS = 8;
const ROUNDS = 5;
const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

async function main(): Promise<void> {
  const service = new MerchantClient({
    baseUrl: given('BASE_URL'),
    apiKey: given('API_KEY'),
    connections: CONNECTIONS,
  });
  const echoProcess = fork(join(__dirname, 'echo-server.js'));
  const echoUrl = await new Promise<string>((ready) =>
    echoProcess.once('message', (message) => ready((message as { url: string }).url)),
  );
  const echo = new MerchantClient({ baseUrl: echoUrl, apiKey: 'none', connections: CONNECTIONS });
  const wallet = await dataOf(service.post<{ id: string }>('/wallets', { currency: 'USDT', network: 'erc20' }));
  await dataOf(service.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '900000000' }));
  const payout = { currency: 'USDT', amount: '1.00', address: ADDRESS, network: 'erc20' };
  const pay = (client: MerchantClient) => () => successOf(client.post('/payouts/wallets', payout));
  const load = (client: MerchantClient, seconds: number) =>
    sustained({ inFlight: CONNECTIONS, seconds, work: pay(client) });

  progress(`warming up for ${2 * WARM_UP_SECONDS} s, then ${ROUNDS} rounds of twice ${ROUND_SECONDS} s`);
  await load(echo, WARM_UP_SECONDS);
  await load(service, WARM_UP_SECONDS);
  const rounds: { payouts: number; echo: number }[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { perSecond: payouts } = await load(service, ROUND_SECONDS);
    await settled(service);
    const { perSecond: echoes } = await load(echo, ROUND_SECONDS);
    rounds.push({ payouts, echo: echoes });
    progress(`round ${round}: payouts ${Math.round(payouts)}/s, echo ${Math.round(echoes)}/s`);
  }
  const payoutsPerSecond = median(rounds.map(({ payouts }) => payouts));
  const latencies = await latenciesOf(pay(service), payoutsPerSecond / 2, ROUND_SECONDS);
  echoProcess.disconnect();
  [service, echo].forEach((client) => client.close());
  const figures = {
    payouts_per_second: payoutsPerSecond,
    echo_per_second: median(rounds.map(({ echo: echoes }) => echoes)),
    payouts_to_echo: median(rounds.map(({ payouts, echo: echoes }) => payouts / echoes)),
    half_load_p50_ms: percentile(latencies, 50),
    half_load_p99_ms: percentile(latencies, 99),
    rounds: ROUNDS,
  };
  report(figures, process.argv.includes('--json'));
}

/** @returns each answer's time in milliseconds, from when it was due */
async function latenciesOf(work: () => Promise<unknown>, perSecond: number, seconds: number): Promise<number[]> {
  const latencies: number[] = [];
  await paced((due) => work().then(() => void latencies.push(performance.now() - due)), perSecond, seconds);
  return latencies;
}

void main();
