/**
 * Two instances of the ledger under load, killed and paused in turns, while the projections are rebuilt. Afterwards the
 * answers that callers received are compared with the ledger: it has each acknowledged payout once and no other, no
 * account is overdrawn, and the log verifies.
 *
 * `npm run test:instances -- --rounds N --seed S` runs it longer.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { SupervisedService } from '@stablecoin/local-stack/supervised-service';
import { Drawing } from '@stablecoin/testing/drawing';
import { eventually } from '@stablecoin/testing/eventually';
import { auditJson, rebuild } from './audit-command';
import { Client } from './client';
import { Holders, startFurtherLedger } from './ledger-instances';
import { newClient } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, openWallet } from './people';
import { Transaction, Wallet } from './resources';
import { BANK } from './writes';

const ROUNDS = Number(process.env['INSTANCE_ROUNDS'] ?? '2');
const SEED = Number(process.env['INSTANCE_SEED'] ?? Date.now() % 100_000);
const REPLACED_WITHIN_MS = 5_000;
const PAUSE_MS = 5_000;
const SHARDS = 4;
/** Enough that every shard has some; every second one has money for only a part of what it asks for. */
const MERCHANTS = 8;
const LITTLE = 25;
const PLENTY = 100_000;

interface Payer {
  client: Client;
  wallet: Wallet;
  money: number;
  accepted: string[];
  refused: number;
}

let own: OwnStack;
let second: SupervisedService;
let holders: Holders;
let payers: Payer[];

beforeAll(async () => {
  own = await startOwnStack();
  holders = await Holders.of(own.description);
  payers = [];
  for (let index = 0; index < MERCHANTS; index += 1) {
    const client = await newClient([], own.description);
    const money = index % 2 === 0 ? PLENTY : LITTLE;
    const wallet = await openWallet(client, { currency: 'USD' }, String(money));
    payers.push({ client, wallet, money, accepted: [], refused: 0 });
  }
  second = startFurtherLedger(own.description);
}, 240_000);

afterAll(async () => {
  await holders?.end();
  await second?.stop();
  await own?.stop();
}, 90_000);

/** What was answered neither with a payout nor with a refusal: to be asked for again. */
let unanswered = 0;

/** Like a caller who wants to know: the same key until there is an answer. */
async function payOut(payer: Payer): Promise<void> {
  const idempotencyKey = randomUUID();
  const body = { currency: 'USD', amount: '1', ...BANK };
  await eventually(
    'an answer that is not to be asked for again',
    async () => {
      const answer = await payer.client.post<Transaction>('/payouts/banks', body, { idempotencyKey });
      if (answer.status === 503 || answer.status === 409) {
        unanswered += 1;
        return false;
      }
      expect([200, 422]).toContain(answer.status);
      if (answer.status === 200) payer.accepted.push(answer.body.data.id);
      else payer.refused += 1;
      return true;
    },
    { timeoutMs: 40_000, pollMs: 100 },
  );
}

/** All payers at work until they are stopped. */
function load(): () => Promise<unknown> {
  const state = { working: true };
  const work = async (payer: Payer) => {
    while (state.working) {
      await payOut(payer);
      await delay(20);
    }
  };
  const underWay = Promise.all(payers.flatMap((payer) => [work(payer), work(payer)]));
  return () => {
    state.working = false;
    return underWay;
  };
}

const acceptedSoFar = () => payers.reduce((sum, payer) => sum + payer.accepted.length, 0);

/** @returns how long the victim's shards had no owner who serves */
async function strike(victim: number, fault: 'SIGKILL' | 'SIGSTOP'): Promise<number> {
  const lost = [...(await holders.byShard())].filter(([, pid]) => pid === victim).map(([shard]) => shard);
  const struckAt = performance.now();
  process.kill(victim, fault);
  try {
    await eventually(
      `other processes to hold the shards ${lost.join(', ')}`,
      async () => {
        const now = await holders.byShard();
        return lost.every((shard) => now.has(shard) && now.get(shard) !== victim);
      },
      { timeoutMs: 15_000 },
    );
    const replacedMs = performance.now() - struckAt;
    if (fault === 'SIGSTOP') await delay(Math.max(0, PAUSE_MS - replacedMs));
    return replacedMs;
  } finally {
    if (fault === 'SIGSTOP') process.kill(victim, 'SIGCONT');
  }
}

describe('two instances of the ledger', () => {
  it(
    `share the shards and replace each other: ${ROUNDS} rounds, seed ${SEED}`,
    async () => {
      await holders.halved(SHARDS);
      const draw = new Drawing(SEED);
      const stop = load();
      const figures: string[] = [];
      const slow: string[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const pids = [...(await holders.counts()).keys()];
        const victim = draw.oneOf(pids);
        const fault = round % 2 === 0 ? 'SIGKILL' : 'SIGSTOP';
        await delay(draw.next() * 1_000);
        const replacedMs = await strike(victim, fault);
        figures.push(`${fault} ${Math.round(replacedMs)} ms`);
        if (replacedMs > REPLACED_WITHIN_MS) slow.push(figures.at(-1) as string);
        await holders.halved(SHARDS);
      }
      await stop();
      process.stderr.write(`seed ${SEED}: ${acceptedSoFar()} payouts accepted; replaced after ${figures.join(', ')}\n`);
      expect(slow).toEqual([]);
    },
    ROUNDS * 60_000,
  );

  it('work on while their damaged projections are rebuilt and put in place', async () => {
    const { client, accepted } = payers[0] as Payer;
    const idle = await openWallet(client, { currency: 'EUR' }, '10');
    const [before, unansweredBefore] = [acceptedSoFar(), unanswered];
    const stop = load();
    await holders.tamper(`UPDATE account_balances SET balance = 99 WHERE account_id = $1`, [idle.id]);
    await holders.tamper(`DELETE FROM transactions WHERE id = $1`, [accepted[0] as string]);
    const { code, stdout, stderr } = await rebuild(own.description, '--switch', '--json');
    await delay(1_000);
    await stop();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const found = JSON.parse(stdout) as Rebuilt;
    process.stderr.write(
      `rebuilt ${found.events} events at ${found.events_per_second}/s, appends paused for ${found.switch?.paused_ms} ms; ` +
        `${acceptedSoFar() - before} payouts accepted meanwhile\n`,
    );
    expect(found).toMatchObject({ ok: true, switched: true });
    // The totals follow the deleted row.
    expect(found.differences.flatMap(({ table, missing, differing }) => (missing + differing ? [table] : []))).toEqual([
      'account_balances',
      'transactions',
      'transaction_counts',
    ]);
    expect(unanswered).toBe(unansweredBefore);
    expect(acceptedSoFar()).toBeGreaterThan(before);
    expect(await balanceOf(client, idle.id)).toBe('10.00000000');
  }, 120_000);

  it('and the ledger has every payout once, as its caller received it', async () => {
    for (const { client, wallet, money, accepted, refused } of payers) {
      expect(accepted.length + refused).toBeGreaterThan(0);
      expect(await payoutIds(client)).toEqual([...accepted].sort());
      expect(await balanceOf(client, wallet.id)).toBe(`${money - accepted.length}.00000000`);
      if (refused > 0) expect({ refused: true, accepted: accepted.length }).toEqual({ refused: true, accepted: money });
    }
    const { code, report } = await auditJson<{ ok: boolean; first_fault: unknown }>(own.description, 'verify');
    expect({ code, ok: report.ok, first_fault: report.first_fault }).toEqual({ code: 0, ok: true, first_fault: null });
  }, 120_000);
});

interface Rebuilt {
  ok: boolean;
  events: number;
  events_per_second: number;
  switched: boolean;
  switch: { paused_ms: number } | null;
  differences: { table: string; missing: number; differing: number }[];
}

async function payoutIds(client: Client): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of client.sdk.transactions.list({ transaction_type: 'PAYOUT', limit: 100 })) found.push(id);
  return found.sort();
}
