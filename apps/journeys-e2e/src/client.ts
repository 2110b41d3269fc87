import { Stablecoin } from '@stablecoin/sdk-typescript/stablecoin';
import { Answer, MerchantClient, Refused, Sending } from '@stablecoin/testing/merchant-client';
import { assertDocumented, documentedFetch } from './documented-answers';

export { Answer };

/** A merchant's program that checks every response against the interface document. */
export class Client extends MerchantClient {
  private ownSdk: Stablecoin | undefined;

  constructor(baseUrl: string, apiKey?: string) {
    super({ baseUrl, apiKey });
  }

  /** The same merchant over the TypeScript SDK, for what a journey needs and does not test. It sends nothing twice. */
  get sdk(): Stablecoin {
    const { baseUrl, apiKey } = this;
    this.ownSdk ??= new Stablecoin({ baseUrl, apiKey, fetch: documentedFetch(baseUrl), maxRetries: 0 });
    return this.ownSdk;
  }

  override async send<Data>(method: string, path: string, body?: unknown, sending?: Sending): Promise<Answer<Data>> {
    const answer = await super.send<Data>(method, path, body, sending);
    assertDocumented(method, this.documentedPath(path), answer);
    return answer;
  }

  /** As the document names it: below the API's root, without its query. */
  private documentedPath(path: string): string {
    const { pathname } = new URL(`${this.baseUrl}${path}`);
    const root = new URL(this.baseUrl).pathname;
    return pathname.startsWith(`${root}/`) ? pathname.slice(root.length) : pathname;
  }
}

/** The data of a success; anything else fails the test and shows what came instead. */
export async function dataOf<Data>(asked: Promise<Answer<Data>>, status = 200): Promise<Data> {
  const answer = await asked;
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status, body: { status: 'success' } });
  return answer.body.data;
}

/** The refusal, which must have this status and code and the envelope of all refusals. */
export async function refusalOf(asked: Promise<Answer<unknown>>, status: number, code: string): Promise<Refused> {
  const answer = await asked;
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: {
      status: 'error',
      code,
      message: expect.stringMatching(/^[A-Z].+\.$/) as unknown,
      ...(code === 'validation_failed' && { errors: expect.any(Array) as unknown }),
      request_id: answer.headers.get('x-request-id'),
    },
  });
  return answer.body as unknown as Refused;
}

/** The fields that a 400 names, each with its code. */
export async function fieldErrorsOf(asked: Promise<Answer<unknown>>): Promise<Record<string, string>> {
  const { errors = [] } = await refusalOf(asked, 400, 'validation_failed');
  for (const error of errors) expect(error.message).not.toBe('');
  return Object.fromEntries(errors.map(({ field, code }) => [field, code]));
}
