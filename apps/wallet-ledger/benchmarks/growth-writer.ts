/** A writer in a process of its own: measures one round for each message it gets. See growth.bench.ts. */
import { grownCustomer } from '@stablecoin/benchmarking/grown-ledger';
import { sustained } from '@stablecoin/benchmarking/measure';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { PayoutHolds } from './payout-holds';

const IN_FLIGHT = 2_000;
const ROUND_SECONDS = 10;

export interface GrowthRound {
  perSecond: number;
  residentMegabytes: number;
}

async function main(): Promise<void> {
  const { LEDGER_DATABASE_URL: url = '', MERCHANT_ID: merchant_id = '', ACCOUNTS = '' } = process.env;
  const accounts = Number(ACCOUNTS);
  const database = new LedgerDatabase({ url, applicationName: 'benchmark', poolSize: 5 });
  const holds = await PayoutHolds.open(database);
  let turn = 0;
  process.on('message', () => void round());
  process.once('disconnect', () => process.exit());

  async function round(): Promise<void> {
    const { perSecond } = await sustained({
      inFlight: IN_FLIGHT,
      seconds: ROUND_SECONDS,
      work: () => holds.hold({ merchant_id, customer_id: grownCustomer(nextAccount()) }),
    });
    const residentMegabytes = process.memoryUsage.rss() / 2 ** 20;
    process.send?.({ perSecond, residentMegabytes } satisfies GrowthRound);
  }

  /** Every account in turn, far from its neighbours: the next one is always the one that was used longest ago. */
  function nextAccount(): number {
    turn = (turn + 104_729) % accounts;
    return turn;
  }
}

void main();
