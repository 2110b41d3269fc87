/**
 * No merchant spends money twice, however many requests come at once: each round makes 200 payouts at the same moment
 * on money for exactly 100 of them. The rounds alternate between merchants whose shards two ledger instances hold.
 *
 * `npm run test:overdrafts -- --rounds N` runs it longer.
 */
import type { SupervisedService } from '@stablecoin/local-stack/supervised-service';
import { eventually } from '@stablecoin/testing/eventually';
import { auditJson } from './audit-command';
import { Answer, Client } from './client';
import { Holders, startFurtherLedger } from './ledger-instances';
import { newClient } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, createIndividual, openWallet } from './people';
import { Transaction } from './resources';
import { BANK } from './writes';

const ROUNDS = Number(process.env['OVERDRAFT_ROUNDS'] ?? '4');
const ASKED = 200;
const AFFORDABLE = 100;
const SHARDS = 4;
/** Enough that both instances have some. */
const MERCHANTS = 6;

let own: OwnStack;
let second: SupervisedService;
let holders: Holders;
let merchants: Client[];

beforeAll(async () => {
  own = await startOwnStack();
  holders = await Holders.of(own.description);
  merchants = [];
  for (let index = 0; index < MERCHANTS; index += 1) merchants.push(await newClient([], own.description));
  second = startFurtherLedger(own.description);
  await holders.halved(SHARDS);
}, 240_000);

afterAll(async () => {
  await holders?.end();
  await second?.stop();
  await own?.stop();
}, 90_000);

/** Retries under the same key while the answer asks for a retry. */
async function payOut(merchant: Client, customer_id: string, key: string): Promise<Answer<Transaction>> {
  const body = { customer_id, currency: 'USD', amount: '1', ...BANK };
  return eventually(
    'an answer that is not to be asked for again',
    async () => {
      const answer = await merchant.post<Transaction>('/payouts/banks', body, { idempotencyKey: key });
      return answer.status !== 503 && answer.body.code !== 'idempotency_in_flight' && answer;
    },
    { timeoutMs: 30_000, pollMs: 100 },
  );
}

async function round(merchant: Client, index: number) {
  const { id: customer_id } = await createIndividual(merchant);
  const wallet = await openWallet(merchant, { customer_id, currency: 'USD' }, String(AFFORDABLE));
  const ask = (_: unknown, each: number) => payOut(merchant, customer_id, `round-${index}-${each}`);
  const answers = await Promise.all(Array.from({ length: ASKED }, ask));
  const outcomes = answers.map(({ body }) => body.code ?? body.status);
  const { data: booked } = await merchant.sdk.transactions.listByCustomer(customer_id, {
    transaction_type: 'PAYOUT',
    limit: 100,
  });
  return {
    accepted: outcomes.filter((outcome) => outcome === 'success').length,
    refused: outcomes.filter((outcome) => outcome === 'insufficient_funds').length,
    balance: await balanceOf(merchant, wallet.id),
    booked: new Set(booked.map(({ id }) => id)).size,
  };
}

describe('200 payouts at once on money for exactly 100', () => {
  it(
    `leave exactly nothing, in each of ${ROUNDS} rounds on two ledger instances`,
    async () => {
      for (let index = 0; index < ROUNDS; index += 1) {
        const merchant = merchants[index % MERCHANTS] as Client;
        const expected = {
          accepted: AFFORDABLE,
          refused: ASKED - AFFORDABLE,
          balance: '0.00000000',
          booked: AFFORDABLE,
        };
        expect({ index, ...(await round(merchant, index)) }).toEqual({ index, ...expected });
      }
      expect((await holders.counts()).size).toBe(2);
    },
    60_000 + ROUNDS * 20_000,
  );

  it('and the log verifies', async () => {
    const { code, report } = await auditJson<{ ok: boolean }>(own.description, 'verify');
    expect({ code, ok: report.ok }).toEqual({ code: 0, ok: true });
  }, 90_000);
});
