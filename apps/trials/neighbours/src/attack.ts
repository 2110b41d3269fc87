// What an attack is, and what several of them are made of.

import { BANK } from '@stablecoin/testing/journey';
import type { Attacker } from './load/attacker-account';
import { FORM_BOUNDARY } from './load/bodies';
import { withWebhooks } from './load/webhooks';
import { type Load } from './load/load';
import { AttackCaller, requests } from './load/requests';

export interface Attack {
  name: string;
  /** What it does, in a sentence. */
  what: string;
  /** Built when the attack begins, in the attacker's process. */
  load: (attacker: Attacker) => Load;
  /** The victim registers customers with documents meanwhile: what such bodies share is what is attacked. */
  victimUploads?: true;
  /** Left out of the short form, for its time. */
  longOnly?: true;
}

export const CUSTOMERS = '/individual-customers';
export const BUSINESSES = '/business-customers';
/** Every wallet that an owner can have, each on every network. */
export const WALLETS = [
  ...['trc20', 'erc20', 'bep20', 'solana', 'polygon'].map((network) => ({ currency: 'USDT', network })),
  ...['erc20', 'bep20', 'polygon', 'solana'].map((network) => ({ currency: 'USDC', network })),
];
export const PAIR = { from_currency: 'USDT', to_currency: 'NGN', amount: '1' };
/** The kernel looks longer and longer for a free port of one address: from several they are open within a second or two. */
export const TEN_THOUSAND = { count: 10_000, perSecond: 20_000 };
export const DOCUMENT_HEADERS = ['content-type: multipart/form-data; boundary=part', 'content-length: 5000000'];
export const DOCUMENT_BEGINS =
  '--part\r\ncontent-disposition: form-data; name="file"; filename="id.jpg"\r\ncontent-type: image/jpeg\r\n\r\n\xff';
/** As many names as headers of 31 KB hold. */
export const MANY_HEADERS = Array.from({ length: 5_000 }, (_, number) => `${number.toString(36).padStart(3, 'h')}:`);
export const { account_number, bank_code } = BANK;
export const json = (body: object): string => JSON.stringify(body);

/** A request as it goes over the wire, without its body. */
export const head = ({ apiKey }: Attacker, line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'host: trial', `x-api-key: ${apiKey}`, ...headers, '', ''].join('\r\n');

export const postHead = (attacker: Attacker, ...headers: readonly string[]) =>
  head(attacker, `POST /api${CUSTOMERS}`, 'content-type: application/json', ...headers);

/** The same without a key, of a path that need not be of the API. */
export const keyless = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'host: trial', ...headers, '', ''].join('\r\n');
export interface Identified {
  id: string;
}

export interface Transaction {
  transaction_id: string;
}

export const payoutOf = (customer_id: string, recipient_name: string): object => ({
  ...{ customer_id, currency: 'USDT', amount: '1', ...BANK },
  recipient_name,
});

/** Each of the attacker's keys in turn: together they may ask for twice as much as one. */
export const anyKeyOf =
  ({ furtherKeys }: Attacker) =>
  (number: number): string =>
    furtherKeys[number % furtherKeys.length] ?? '';

export const documents = (attacker: Attacker, perSecond: number, body: string): Load =>
  requests({
    ...{ perSecond, path: '/documents', body, key: anyKeyOf(attacker) },
    headers: { 'content-type': `multipart/form-data; boundary=${FORM_BOUNDARY}` },
  });

export const webhookTests = (perSecond: number): Load =>
  withWebhooks(1, 'hangs', ([id]) => requests({ perSecond, method: 'POST', path: `/webhooks/${id ?? ''}/test` }));

export const deposits = ({ walletId }: Attacker, perSecond: number): Load =>
  requests({ perSecond, path: '/sandbox/deposits', body: json({ wallet_id: walletId, amount: '1' }) });

export async function swap({ client, tally, run }: AttackCaller): Promise<unknown> {
  const pair = { customer_id: run.attacker.customerId, ...PAIR };
  const quote = await tally.outcomeOf(client.post<{ data: { id: string } }>('/instant-swaps', pair));
  return quote && tally.outcomeOf(client.post('/swaps', { ...pair, quote_id: quote.body.data.data.id }));
}
