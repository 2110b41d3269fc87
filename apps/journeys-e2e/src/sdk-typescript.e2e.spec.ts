/** A merchant's program over the packed SDK: the whole journey, and payouts over a line that loses a part of what it carries. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CuttingProxy } from '@stablecoin/testing/cutting-proxy';
import { eventually } from '@stablecoin/testing/eventually';
import { individual } from '@stablecoin/testing/person';
import { testStack as stack } from '@stablecoin/testing/stack';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import type {
  BankPayoutParams,
  IndividualCustomerParams,
  Payout,
  Stablecoin,
  StablecoinOptions,
} from '@stablecoin/sdk-typescript/index';
import { documentedFetch } from './documented-answers';
import { PNG_BYTES } from './forms';
import { createMerchant, ROOT } from './merchants';
import { PackedSdk } from './packed-sdk';
import { ADDRESSES } from './people';

const BANK = { account_number: '0123456789', bank_code: '011', recipient_name: 'Ada Obi' };
const INSTALL_TIMEOUT_MS = 300_000;

let packed: PackedSdk;

beforeAll(async () => {
  packed = await PackedSdk.install();
}, INSTALL_TIMEOUT_MS);
afterAll(() => packed.remove());

/** Sends nothing twice, so that an answer that the document does not describe fails the test. */
async function newSdkClient(): Promise<Stablecoin> {
  const { api_key: apiKey } = await createMerchant([], stack());
  const { base_url: baseUrl } = stack();
  return new packed.sdk.Stablecoin({ apiKey, baseUrl, fetch: documentedFetch(baseUrl), maxRetries: 0 });
}

describe('a merchant that uses the TypeScript SDK', () => {
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver.stop());

  it('registers a customer, swaps, pays out, receives the event and proves the payout', async () => {
    const { amounts, unwrapWebhook } = packed.sdk;
    const client = await newSdkClient();
    const { secret } = await client.webhooks.create({ url: receiver.url('/sdk'), events: ['payout.completed'] });

    const { document_id } = await client.documents.upload(new Blob([PNG_BYTES]));
    const documents = [{ doc_type: 'valid_ids', sub_type: 'front', doc_country: 'NG', document_id }];
    const person = { ...individual(), expected_monthly_income: '2500', documents } as IndividualCustomerParams;
    const customer = await client.customers.createIndividual(person);
    expect(customer.personal_info.first_name).toBe('Ada');

    const owner = { customer_id: customer.id };
    const usdt = await client.wallets.open({ ...owner, currency: 'USDT', network: 'trc20' });
    const ngn = await client.wallets.open({ ...owner, currency: 'NGN' });
    await client.sandbox.deposit({ wallet_id: usdt.id, amount: '1000' });
    const pair = { ...owner, from_currency: 'USDT', to_currency: 'NGN', amount: '100' } as const;
    const quote = await client.quotes.create(pair);
    const swap = await client.swaps.execute(pair);
    expect((await client.swaps.get(swap.swapId)).id).toBe(quote.id);
    expect((await client.wallets.get(ngn.id)).balance).toBe(quote.to_amount);

    const bank = await client.payouts.createToBank({ ...owner, currency: 'USDT', amount: '50', ...BANK });
    const chain = {
      ...owner,
      currency: 'USDT',
      amount: '25',
      address: ADDRESSES.trc20,
      network: 'trc20',
    } as const;
    await client.payouts.createToWallet(chain);

    const [delivery] = await receiver.atLeast(1, '/sdk');
    const event = unwrapWebhook(delivery!.text, delivery!.headers, secret);
    expect(event.type === 'payout.completed' && event.data.transaction_type).toBe('PAYOUT');
    expect(() => unwrapWebhook(`${delivery!.text} `, delivery!.headers, secret)).toThrow(
      packed.sdk.WebhookSignatureError,
    );

    const settled = await eventually('both payouts are completed', async () => {
      const found = await client.transactions.list({ ...owner, transaction_type: 'PAYOUT', status: 'COMPLETED' });
      return found.pagination.total === 2 && found.data;
    });
    const spent = settled.map(({ amount, fee }) => amounts.add(amount, fee ?? '0')).reduce(amounts.add);
    const { balance } = await client.wallets.get(usdt.id);
    expect(amounts.compare(amounts.add(balance, spent), '900')).toBe(0);

    const walked: string[] = [];
    for await (const { id } of client.transactions.list({ ...owner, limit: 2 })) walked.push(id);
    expect([walked.length, new Set(walked).size]).toEqual([5, 5]);

    const proof = await eventually(
      'the payout is in a checkpoint',
      async () => {
        try {
          return await client.audit.prove(bank.transaction_id);
        } catch (error) {
          expect(error).toBeInstanceOf(packed.sdk.ProofPendingError);
          return false;
        }
      },
      { timeoutMs: 30_000 },
    );
    expect(proof.format).toBe('stablecoin-ledger-proof/1');
  }, 90_000);

  it('gets an error of its own class for each refusal, with the fields', async () => {
    const client = await newSdkClient();
    const { InsufficientFundsError, NotFoundError, ValidationFailedError } = packed.sdk;
    const errorOf = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => error,
      );
    await client.wallets.open({ currency: 'USD' });
    const poor = await errorOf(client.payouts.createToBank({ currency: 'USD', amount: '1', ...BANK }));
    expect(poor).toBeInstanceOf(InsufficientFundsError);
    expect(poor).toMatchObject({ outcomeUnknown: false, attempts: 1 });
    expect(await errorOf(client.wallets.get(randomUUID()))).toBeInstanceOf(NotFoundError);
    const invalid = await errorOf(client.payouts.createToBank({ currency: 'USD', amount: '1.005', ...BANK }));
    expect(invalid).toBeInstanceOf(ValidationFailedError);
    expect(invalid).toMatchObject({ errors: [{ field: 'amount', code: 'too_many_decimals' }] });
  });

  it('gets to its first payout by the lines of the package’s README', async () => {
    const [, program = ''] =
      /^```js\n(.*?)^```$/ms.exec(readFileSync(join(ROOT, 'libs/sdk-typescript/README.md'), 'utf8')) ?? [];
    const { api_key: STABLECOIN_API_KEY } = await createMerchant([], stack());
    const env = { ...process.env, STABLECOIN_API_KEY, STABLECOIN_BASE_URL: stack().base_url };
    writeFileSync(join(packed.folder, 'first-payout.js'), program);
    const { stdout } = await promisify(execFile)(process.execPath, ['first-payout.js'], { cwd: packed.folder, env });
    expect(stdout).toMatch(/^PAYOUT 10\.00000000 \w+\nDEPOSIT 100\.00000000 COMPLETED\n[A-Z0-9]{10}\n$/);
  });
});

describe('payouts over a line that cuts every second request', () => {
  const SEED = 20_261_123;
  const WORKERS = 8;
  let proxy: CuttingProxy;
  beforeEach(async () => {
    proxy = await CuttingProxy.inFrontOf(stack().base_url, { seed: SEED, cutsOfTen: 5 });
  });
  afterEach(() => proxy.close());

  /** Deposits over a good line, then pays out so many times over the bad one. */
  async function paidOut(count: number, options: StablecoinOptions) {
    const apiKey = (await createMerchant([], stack())).api_key;
    const [good, bad] = [
      new packed.sdk.Stablecoin({ apiKey, baseUrl: stack().base_url }),
      new packed.sdk.Stablecoin({ apiKey, baseUrl: proxy.url, ...options }),
    ];
    const wallet = await good.wallets.open({ currency: 'USD' });
    await good.sandbox.deposit({ wallet_id: wallet.id, amount: '100000' });
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    const answers = new Map<string, string>();
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
          const amount = packed.sdk.amounts.fromMinorUnits(BigInt(1_000 + number), 'USD');
          const { transaction_id } = await untilAnswered(bad, { currency: 'USD', amount, ...BANK });
          answers.set(transaction_id, amount);
        }
      }),
    );
    return { good, wallet, answers };
  }

  /** What an engineer does with an error whose outcome is unknown: the same again with its key. */
  async function untilAnswered(client: Stablecoin, params: BankPayoutParams, idempotencyKey?: string): Promise<Payout> {
    try {
      return await client.payouts.createToBank(params, { idempotencyKey });
    } catch (error) {
      if (!(error instanceof packed.sdk.StablecoinConnectionError)) throw error;
      expect(error.outcomeUnknown).toBe(true);
      return untilAnswered(client, params, error.idempotencyKey);
    }
  }

  it('are made once each', async () => {
    const { amounts } = packed.sdk;
    const { good, wallet, answers } = await paidOut(200, {});
    const listed = new Map<string, string>();
    let spent = '0';
    for await (const { transaction_id, amount, fee } of good.transactions.list({ transaction_type: 'PAYOUT' })) {
      listed.set(transaction_id, amount);
      spent = amounts.add(spent, amounts.add(amount, fee ?? '0'));
    }
    expect([answers.size, listed.size]).toEqual([200, 200]);
    for (const [id, amount] of answers) expect(amounts.compare(listed.get(id) ?? '0', amount)).toBe(0);
    const { balance } = await good.wallets.get(wallet.id);
    expect(amounts.compare(amounts.add(balance, spent), '100000')).toBe(0);
    // The line did lose something, at every place.
    expect([...proxy.fates.values()].every((times) => times > 10) && proxy.fates.size).toBe(5);
  }, 180_000);

  it('would be made more than once with a key for each attempt', async () => {
    const newKeys: typeof fetch = (url, init) =>
      fetch(url, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), 'idempotency-key': randomUUID() },
      });
    const { good, answers } = await paidOut(40, { fetch: newKeys });
    const { pagination } = await good.transactions.list({ transaction_type: 'PAYOUT' });
    expect(answers.size).toBe(40);
    expect(pagination.total).toBeGreaterThan(40);
  }, 180_000);
});
