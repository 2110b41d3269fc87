/**
 * How fast one shard's writer holds payouts: out of one account and spread over a thousand, compared with the most that
 * the database takes of the same rows, and with the classic design of row locks; and out of one account under a policy with
 * limits of every kind, to a thousand destinations. Beside it stands the first one without MACs and signatures, to see what all three
 * cost together. All six alternate, in several rounds.
 */
import { randomUUID } from 'node:crypto';
import { given } from '@stablecoin/benchmarking/given';
import { median, sustained, timed } from '@stablecoin/benchmarking/measure';
import { progress, report } from '@stablecoin/benchmarking/report';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { Client } from 'pg';
import { PayoutHolds, WalletOwner } from './payout-holds';
import { recordWrites, replay } from './recorded-writes';
import { RowLocks } from './row-locks';

const ACCOUNTS = 1_000;
const IN_FLIGHT = 2_000;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = 4;
const ROUNDS = 5;

interface Round {
  hot: number;
  limited: number;
  bare: number;
  spread: number;
  ceiling: number;
  rowLocks: number;
}

async function main(): Promise<void> {
  const [url, ownerUrl] = [given('LEDGER_DATABASE_URL'), given('BENCHMARK_OWNER_URL')];
  const merchant_id = randomUUID();
  const hot: WalletOwner = { merchant_id, customer_id: null };
  const limited: WalletOwner = { merchant_id: randomUUID(), customer_id: randomUUID() };
  const spread = Array.from({ length: ACCOUNTS }, () => ({ merchant_id, customer_id: randomUUID() }));
  const replica = await emptyCopy(ownerUrl, 'benchmark_ceiling');
  const database = new LedgerDatabase({ url, applicationName: 'benchmark', poolSize: 5 });
  const { result: holds, writes: funding } = await recordWrites(async () => {
    const opened = await PayoutHolds.open(database);
    await opened.fund([hot, limited, ...spread]);
    await opened.limit(limited.merchant_id);
    return opened;
  });
  await replay(replica, funding);
  const rowLocks = await RowLocks.open(ownerUrl, ['hot']);
  const loadWith = (seconds: number, work: (number: number) => Promise<unknown>) =>
    recordWrites(() => sustained({ inFlight: IN_FLIGHT, seconds, work }));
  const load = (seconds: number, owner: (number: number) => WalletOwner) =>
    loadWith(seconds, (number) => holds.hold(owner(number)));

  const measure = async (seconds: number): Promise<Round> => {
    const atOne = await load(seconds, () => hot);
    const replayMs = await timed(() => replay(replica, atOne.writes));
    const atMany = await load(seconds, (number) => spread[number % ACCOUNTS] as WalletOwner);
    await replay(replica, atMany.writes);
    const underLimits = await loadWith(seconds, (number) => holds.hold(limited, number % ACCOUNTS));
    await replay(replica, underLimits.writes);
    const unproven = await holds.bare(() => load(seconds, () => hot));
    await replay(replica, unproven.writes);
    return {
      hot: atOne.result.perSecond,
      limited: underLimits.result.perSecond,
      bare: unproven.result.perSecond,
      spread: atMany.result.perSecond,
      ceiling: (atOne.result.finished * 1_000) / replayMs,
      rowLocks: await rowLocks.transfersPerSecond('hot', seconds),
    };
  };
  progress(`warming up, then ${ROUNDS} rounds of six times ${ROUND_SECONDS} s`);
  await measure(WARM_UP_SECONDS);
  const rounds: Round[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const measured = await measure(ROUND_SECONDS);
    rounds.push(measured);
    const shown = Object.entries<number>({ ...measured }).map(
      ([name, perSecond]) => `${name} ${Math.round(perSecond)}/s`,
    );
    progress(`round ${round}: ${shown.join(', ')}`);
  }
  await Promise.all([holds.close(), rowLocks.close(), replica.end()]);
  await database.$disconnect();
  report(figures(rounds), process.argv.includes('--json'));
}

/** The median of ratios within a round: other load on the machine slows both sides of a round alike. */
function figures(rounds: readonly Round[]) {
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  return {
    hot_per_second: of(({ hot }) => hot),
    spread_per_second: of(({ spread }) => spread),
    raw_ceiling_per_second: of(({ ceiling }) => ceiling),
    row_lock_hot_per_second: of(({ rowLocks }) => rowLocks),
    hot_to_ceiling: of(({ hot, ceiling }) => hot / ceiling),
    hot_to_row_locks: of(({ hot, rowLocks }) => hot / rowLocks),
    limited_per_second: of(({ limited }) => limited),
    limited_to_hot: of(({ hot, limited }) => limited / hot),
    bare_hot_per_second: of(({ bare }) => bare),
    hot_to_bare: of(({ hot, bare }) => hot / bare),
    limited_to_bare: of(({ limited, bare }) => limited / bare),
    spread_to_hot: of(({ hot, spread }) => spread / hot),
    rounds: rounds.length,
  };
}

async function emptyCopy(ownerUrl: string, name: string): Promise<Client> {
  const source = new URL(ownerUrl);
  const server = new URL(ownerUrl);
  server.pathname = '/postgres';
  const admin = new Client({ connectionString: server.href });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${source.pathname.slice(1)}`);
  await admin.end();
  source.pathname = `/${name}`;
  const client = new Client({ connectionString: source.href, options: '-c TimeZone=UTC' });
  await client.connect();
  return client;
}

void main();
