/** Another merchant, whose ids the sequences' merchants can't use, and whose resources they can't change. */
import { eventually } from '@stablecoin/testing/eventually';
import { Client } from '../client';
import { createIndividual, deposit, openWallet } from '../people';
import { BANK, METHOD } from '../writes';

export interface OtherMerchant {
  customer: string;
  wallet: string;
  transaction: string;
  /** Of a deposit that can be reversed. */
  deposit: string;
  depositCode: string;
  transactionCode: string;
  reference: string;
  quote: string;
  method: string;
  /** Everything that it has, as text. */
  everything(): Promise<string>;
}

export async function newOtherMerchant(client: Client): Promise<OtherMerchant> {
  const { id: customer_id } = await createIndividual(client);
  const wallet = await openWallet(client, { customer_id, currency: 'USD' }, '100');
  const arrived = await deposit(client, wallet.id, '1');
  const pair = { customer_id, from_currency: 'USD', to_currency: 'NGN', amount: '10' } as const;
  const quote = await client.sdk.quotes.create(pair);
  const payout = { customer_id, currency: 'USD', amount: '5', ...BANK, recipient_name: 'sandbox:hold' } as const;
  const held = await client.sdk.payouts.createToBank(payout);
  const method = await client.sdk.payoutMethods.addWallet({ ...METHOD, customer_id });
  const lists = ['/customers', `/wallets?customer_id=${customer_id}`, '/transactions', '/payout/methods'];
  return {
    customer: customer_id,
    deposit: arrived.id,
    depositCode: arrived.transaction_id,
    wallet: wallet.id,
    transaction: held.id,
    transactionCode: held.transaction_id,
    reference: held.reference_id,
    quote: quote.id,
    method: method.id,
    everything: () =>
      eventually(
        'all of its lists',
        async () => {
          const answers = await Promise.all(lists.map((path) => client.get(path)));
          return answers.every(({ status }) => status === 200) && answers.map(({ text }) => text).join('\n');
        },
        { timeoutMs: 60_000 },
      ),
  };
}
