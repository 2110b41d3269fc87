/**
 * No more goes out than a limit lets, however many requests come at once: each round makes 200 payouts at the same moment
 * under a limit for exactly 100 of them. The rounds alternate between merchants whose shards two ledger instances hold.
 *
 * `npm run test:limits -- --rounds N` runs it longer.
 */
import type { SupervisedService } from '@stablecoin/local-stack/supervised-service';
import { eventually } from '@stablecoin/testing/eventually';
import { auditJson } from './audit-command';
import { Answer, Client } from './client';
import { Holders, startFurtherLedger } from './ledger-instances';
import { createMerchant, setPolicy } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';
import { balanceOf, createIndividual, openWallet } from './people';
import { Transaction } from './resources';
import { BANK } from './writes';

const ROUNDS = Number(process.env['LIMIT_ROUNDS'] ?? '4');
const ASKED = 200;
const ALLOWED = 100;
const MONEY = 1_000;
const SHARDS = 4;
/** Enough that both instances have some. */
const MERCHANTS = 6;

/** Half of the rounds run into the amount, half into the count. */
const LIMIT = { currency: 'USD', per: 'customer', within: 'day' } as const;
const POLICY = {
  limits: [
    { ...LIMIT, amount: String(ALLOWED) },
    { ...LIMIT, within: 'hour', count: ALLOWED },
  ],
  new_destination_wait_seconds: 0,
};

let own: OwnStack;
let second: SupervisedService;
let holders: Holders;
let merchants: Client[];

beforeAll(async () => {
  own = await startOwnStack();
  holders = await Holders.of(own.description);
  merchants = [];
  for (let index = 0; index < MERCHANTS; index += 1) {
    const { merchant_id, api_key } = await createMerchant([], own.description);
    await setPolicy(merchant_id, POLICY, own.description);
    merchants.push(new Client(own.description.base_url, api_key));
  }
  second = startFurtherLedger(own.description);
  await holders.halved(SHARDS);
}, 240_000);

afterAll(async () => {
  await holders?.end();
  await second?.stop();
  await own?.stop();
}, 90_000);

/** Retries under the same key while the answer asks for a retry. */
async function payOut(
  merchant: Client,
  customer_id: string,
  amount: string,
  key: string,
): Promise<Answer<Transaction>> {
  const body = { customer_id, currency: 'USD', amount, ...BANK };
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
  const wallet = await openWallet(merchant, { customer_id, currency: 'USD' }, String(MONEY));
  // The count is reached first in every other round, else the amount.
  const amount = index % 2 === 0 ? '1' : '0.5';
  const ask = (_: unknown, each: number) => payOut(merchant, customer_id, amount, `round-${index}-${each}`);
  const answers = await Promise.all(Array.from({ length: ASKED }, ask));
  const outcomes = answers.map(({ body }) => body.code ?? body.status);
  const { data: booked } = await merchant.sdk.transactions.listByCustomer(customer_id, {
    transaction_type: 'PAYOUT',
    limit: 100,
  });
  return {
    accepted: outcomes.filter((outcome) => outcome === 'success').length,
    refused: outcomes.filter((outcome) => outcome === 'limit_exceeded').length,
    balance: await balanceOf(merchant, wallet.id),
    booked: new Set(booked.map(({ id }) => id)).size,
  };
}

describe('200 payouts at once under a limit for exactly 100', () => {
  it(
    `let exactly those out, in each of ${ROUNDS} rounds on two ledger instances`,
    async () => {
      for (let index = 0; index < ROUNDS; index += 1) {
        const merchant = merchants[index % MERCHANTS] as Client;
        const expected = {
          accepted: ALLOWED,
          refused: ASKED - ALLOWED,
          balance: index % 2 === 0 ? '900.00000000' : '950.00000000',
          booked: ALLOWED,
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
