/** The back office as the console asks it: typed by interface.yaml, and a refusal is thrown as one kind of error. */
import createClient, { type Middleware } from 'openapi-fetch';
import { refusalOf, unreachable } from './refusal';
import type { components, paths } from './types.generated';

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];
export type Session = Schema<'Session'>;
export type Transaction = Schema<'Transaction'>;

const refusals: Middleware = {
  async onResponse({ response }) {
    if (response.ok) return;
    throw refusalOf(response.status, await response.json().catch(() => undefined));
  },
  onError() {
    return unreachable();
  },
};

export const backOffice = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });
backOffice.use(refusals);

/**
 * What a member of a merchant asks, asked by one of the operator's people of the merchant that is named: the same questions, below
 * `/api/merchants/ID`.
 */
export function backOfficeOf(merchantId: string | undefined): typeof backOffice {
  if (merchantId === undefined) return backOffice;
  const client = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' });
  const below = `/api/merchants/${encodeURIComponent(merchantId)}/`;
  client.use({ onRequest: ({ request }) => new Request(request.url.replace('/api/', below), request) }, refusals);
  return client;
}

/** The answer's content, which is there: a refusal was thrown before. */
export async function answered<Data>(request: Promise<{ data?: Data }>): Promise<NonNullable<Data>> {
  const { data } = await request;
  if (data === undefined || data === null) throw refusalOf(502, undefined);
  return data;
}
