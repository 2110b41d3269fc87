/** What has to be done in the sandbox so that an event of each type happens. */

import { randomInt, randomUUID } from 'node:crypto';
import { Currency, EventByType, IndividualCustomerParams, Stablecoin, WalletExistsError } from 'stablecoin-sdk';
import { UsageError } from '../failures';

export interface Trigger {
  /** What is made, for people. */
  what: string;
  /** Does it, and gives the id that the event's data has. */
  run(client: Stablecoin): Promise<string>;
}

const AMOUNT = '10';
/** As docs/MERCHANTS.md has it: the end of the account number says how the sandbox's bank settles. */
const ACCOUNTS = { completed: '0123450000', failed: '0123450001', returned: '0123450002' } as const;
/** The reference of a deposit that waits until it is said what becomes of it. */
const HELD = 'sandbox:hold';
/** Where no program listens: the discard port. */
const NOWHERE = 'http://127.0.0.1:9/';

/** A type of event that the SDK gains does not compile until it is here. */
export const TRIGGERS: Readonly<Record<keyof EventByType, Trigger>> = {
  'customer.created': {
    what: 'registers a person',
    run: async (client) => (await client.customers.createIndividual(newPerson())).id,
  },
  'customer.updated': {
    what: 'registers a person, who then moves',
    run: async (client) => {
      const { id } = await client.customers.createIndividual(newPerson());
      await client.customers.updateIndividual(id, { registered_address: { ...ADDRESS, street1: '7 Broad Street' } });
      return id;
    },
  },
  'customer.closed': {
    what: 'registers a person and closes the account',
    run: async (client) => {
      const { id } = await client.customers.createIndividual(newPerson());
      await client.customers.close(id);
      return id;
    },
  },
  'deposit.pending': {
    what: 'lets 10 USD be seen on the way to your own wallet, not final yet',
    run: (client) => depositIn(client, 'USD', AMOUNT, HELD),
  },
  'deposit.completed': { what: 'lets 10 USD arrive in your own wallet', run: (client) => depositIn(client, 'USD') },
  'deposit.failed': {
    what: 'lets 10 USD be seen on the way to your own wallet, which never arrive',
    run: async (client) => {
      const deposit = await depositIn(client, 'USD', AMOUNT, HELD);
      await client.sandbox.failDeposit(deposit);
      return deposit;
    },
  },
  'deposit.reversed': {
    what: 'lets 10 USD arrive in your own wallet, and be gone again',
    run: async (client) => {
      const deposit = await depositIn(client, 'USD', AMOUNT, HELD);
      await client.sandbox.completeDeposit(deposit);
      await client.sandbox.reverseDeposit(deposit);
      return deposit;
    },
  },
  'swap.completed': {
    what: 'deposits 10 USD in your own wallet and swaps them for NGN',
    run: async (client) => {
      await openOwnWallet(client, 'NGN');
      await depositIn(client, 'USD');
      const pair = { from_currency: 'USD', to_currency: 'NGN', amount: AMOUNT } as const;
      const { id: quote_id } = await client.quotes.create(pair);
      return (await client.swaps.execute({ ...pair, quote_id })).swapId;
    },
  },
  'payout.approval_required': {
    what: 'deposits USD and pays out what your policy has another key approve; not without such a policy',
    run: payOutForApproval,
  },
  'payout.completed': { what: 'deposits USD and pays 10 to a bank account', run: payOutTo(ACCOUNTS.completed) },
  'payout.failed': {
    what: 'deposits USD and pays 10 to an account that the bank refuses',
    run: payOutTo(ACCOUNTS.failed),
  },
  'payout.reversed': {
    what: 'deposits USD and pays 10 to an account from which the bank sends it back',
    run: payOutTo(ACCOUNTS.returned),
  },
  'webhook.test': {
    what: 'tests your first webhook that is enabled, or one that is made for it and deleted again',
    run: testWebhook,
  },
};

const ADDRESS = { street1: '12 Marina Road', city: 'Lagos', state: 'Lagos', country: 'NG' };

function newPerson(): IndividualCustomerParams {
  return {
    ...{ first_name: 'Ada', last_name: 'Obi', birth_date: '1990-05-17', registered_address: ADDRESS },
    ...{ email: `ada.${randomUUID()}@example.com`, phone: `+234${randomInt(10 ** 9, 10 ** 10)}` },
    ...{ employment_status: 'EMPLOYED', most_recent_occupation: '151251', source_of_funds: 'SALARY' },
    ...{ account_purpose: 'PERSONAL_OR_LIVING_EXPENSES', expected_monthly_income: '2500' },
  };
}

async function openOwnWallet(client: Stablecoin, currency: Currency): Promise<void> {
  try {
    await client.wallets.open({ currency });
  } catch (error) {
    if (!(error instanceof WalletExistsError)) throw error;
  }
}

async function depositIn(client: Stablecoin, currency: Currency, amount = AMOUNT, reference?: string): Promise<string> {
  await openOwnWallet(client, currency);
  return (await client.sandbox.deposit({ currency, amount, reference })).transaction_id;
}

function payOutTo(account_number: string): Trigger['run'] {
  return async (client) => {
    // More than the payout, for its fee.
    await depositIn(client, 'USD', '20');
    const bank = { account_number, bank_code: '011', recipient_name: 'Ada Obi' };
    return transactionIdOf(await client.payouts.createToBank({ currency: 'USD', amount: AMOUNT, ...bank }));
  };
}

/** A cent more than what goes out without an approval. */
async function payOutForApproval(client: Stablecoin): Promise<string> {
  const { approval } = await client.policy.get();
  const above = approval?.above.find(({ currency }) => currency === 'USD');
  if (!above) {
    throw new UsageError('Your policy has no payout in USD approved: only an operator can change that.');
  }
  const amount = aCentMoreThan(above.amount);
  // Twice as much, for its fee.
  await depositIn(client, 'USD', amount);
  await depositIn(client, 'USD', amount);
  const bank = { account_number: ACCOUNTS.completed, bank_code: '011', recipient_name: 'Ada Obi' };
  return transactionIdOf(await client.payouts.createToBank({ currency: 'USD', amount, ...bank }));
}

/** Of an amount with eight decimals, whose last six are of no use in dollars. */
function aCentMoreThan(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.');
  const cents = BigInt(whole) * 100n + BigInt(decimals.slice(0, 2)) + 1n;
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

/** Of what was paid; a dry run, which is not asked for here, has none. */
const transactionIdOf = (payout: { amount: string; transaction_id?: string | null }): string =>
  payout.transaction_id ?? '';

async function testWebhook(client: Stablecoin): Promise<string> {
  for await (const { id, status } of client.webhooks.list()) {
    if (status !== 'enabled') continue;
    await client.webhooks.test(id);
    return id;
  }
  const { id } = await client.webhooks.create({ url: NOWHERE, description: 'stablecoin trigger webhook.test' });
  try {
    await client.webhooks.test(id);
  } finally {
    await client.webhooks.delete(id);
  }
  return id;
}
