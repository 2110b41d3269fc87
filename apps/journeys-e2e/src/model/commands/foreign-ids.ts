/** Another merchant's ids: answered as ids that don't exist, with the same bytes. */
import { randomUUID } from 'node:crypto';
import { individual } from '@stablecoin/testing/person';
import fc from 'fast-check';
import { Answer } from '../../client';
import { BANK } from '../../writes';
import { Disagreement } from '../disagreement';
import { Model } from '../model';
import { agreed, Step } from '../step';
import type { OtherMerchant } from '../other-merchant';
import { World } from '../world';

type Ids = Omit<OtherMerchant, 'everything'>;
type Request = [method: string, path: string, body?: Record<string, unknown>];

const PAIR = { from_currency: 'USD', to_currency: 'NGN' };

const REQUESTS: Record<string, (ids: Ids) => Request> = {
  'look a customer up': ({ customer }) => ['GET', `/customers/${customer}`],
  'update a customer': ({ customer }) => [
    'PUT',
    `/individual-customers/${customer}`,
    { first_name: individual().first_name },
  ],
  'close a customer': ({ customer }) => ['POST', `/customers/${customer}/close`, {}],
  'look a wallet up': ({ wallet }) => ['GET', `/wallets/${wallet}`],
  'list the wallets of a customer': ({ customer }) => ['GET', `/wallets?customer_id=${customer}`],
  'open a wallet for a customer': ({ customer }) => ['POST', '/wallets', { customer_id: customer, currency: 'EUR' }],
  'deposit into a wallet': ({ wallet }) => ['POST', '/sandbox/deposits', { wallet_id: wallet, amount: '1' }],
  'quote for a customer': ({ customer }) => ['POST', '/instant-swaps', { customer_id: customer, ...PAIR, amount: '1' }],
  'look a swap up': ({ quote }) => ['GET', `/swaps/${quote}`],
  'refresh a quote': ({ quote }) => ['POST', `/swaps/${quote}/refresh`, { ...PAIR, from_amount: '10' }],
  'swap by a quote': ({ quote }) => ['POST', '/swaps', { ...PAIR, amount: '10', quote_id: quote }],
  'pay out of a customer': ({ customer }) => [
    'POST',
    '/payouts/banks',
    { customer_id: customer, currency: 'USD', amount: '1', ...BANK },
  ],
  'let a payout fail': ({ transaction }) => ['POST', `/sandbox/payouts/${transaction}/fail`, {}],
  'let a payout arrive': ({ transactionCode }) => ['POST', `/sandbox/payouts/${transactionCode}/complete`, {}],
  'let a deposit fail': ({ deposit }) => ['POST', `/sandbox/deposits/${deposit}/fail`, {}],
  'let a deposit be reversed': ({ depositCode }) => ['POST', `/sandbox/deposits/${depositCode}/reverse`, {}],
  'look a transaction up': ({ transactionCode }) => ['GET', `/customers/transactions/by_txid/${transactionCode}`],
  'look a reference up': ({ reference }) => ['GET', `/customers/transactions/by_ref_id/${reference}`],
  'list the transactions of a customer': ({ customer }) => [
    'GET',
    `/customers/transactions/by_customer_id/${customer}`,
  ],
  'filter transactions by a customer': ({ customer }) => ['GET', `/transactions?customer_id=${customer}`],
  'delete a payout method': ({ method, customer }) => [
    'DELETE',
    `/payout/methods/${method}`,
    { customer_id: customer },
  ],
  'filter payout methods by a customer': ({ customer }) => ['GET', `/payout/methods?customer_id=${customer}`],
};

class UseForeignId extends Step {
  readonly words: string;

  constructor(private readonly what: string) {
    super();
    this.words = `${what}, by the id of another merchant's`;
  }

  protected isPossible(): boolean {
    return true;
  }

  async perform(_model: Model, world: World): Promise<void> {
    const request = REQUESTS[this.what] as (ids: Ids) => Request;
    const foreign = await send(world, request(world.otherMerchant));
    agreed(world, foreign, 'not_found');
    const unknown = await send(world, request(nobodys()));
    const [came, expected] = [foreign, unknown].map(withoutRequestId);
    if (came !== expected) throw new Disagreement(`the bytes of an unknown id: ${expected}`, String(came));
  }
}

const send = (world: World, [method, path, body]: Request): Promise<Answer<unknown>> =>
  body === undefined ? world.read(path) : world.send(method, path, body);

function nobodys(): Ids {
  const [customer, wallet, transaction, deposit, reference, quote, method] = Array.from({ length: 7 }, () =>
    randomUUID(),
  );
  const codes = { transactionCode: 'ZZZZZZZZZZ', depositCode: 'ZZZZZZZZZZ' };
  return { customer, wallet, transaction, deposit, reference, quote, method, ...codes } as Ids;
}

const withoutRequestId = ({ text }: Answer<unknown>) => text.replace(/"request_id":"[^"]*"/, '');

export const foreignIds = fc.constantFrom(...Object.keys(REQUESTS)).map((what) => new UseForeignId(what));
