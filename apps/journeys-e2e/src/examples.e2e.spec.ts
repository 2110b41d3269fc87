import { Client, dataOf } from './client';
import { Operation, OPERATIONS } from './documented-answers';
import { fileForm } from './forms';
import { sandboxMerchant } from './merchants';
import { OwnStack, startOwnStack } from './own-stack';

/** The operations whose path names what another one made, with the way to its id in that one's answer. */
const MADE_BY: Readonly<Record<string, readonly [maker: string, ...way: string[]]>> = {
  updateIndividualCustomer: ['createIndividualCustomer', 'id'],
  updateBusinessCustomer: ['createBusinessCustomer', 'id'],
  refreshQuote: ['createQuote', 'data', 'id'],
  deletePayoutMethod: ['addBankPayoutMethod', 'id'],
  updateWebhook: ['createWebhook', 'id'],
};
/** What it approves is the hash of one payout, which another key has created. */
const OF_ANOTHER_KEY = 'approvePayout';
const SHOWN = OPERATIONS.filter(({ operationId }) => operationId !== OF_ANOTHER_KEY).flatMap((operation) =>
  Object.entries(operation.examples).map(([name, body]) => ({ operation, name, body })),
);

const API_URL = 'https://api.example.com/api';

let own: OwnStack;
let merchant: Client;
const answers = new Map<string, unknown>();

beforeAll(async () => {
  own = await startOwnStack({ PUBLIC_API_URL: API_URL });
  merchant = sandboxMerchant(own.description);
}, 120_000);
afterAll(() => own?.stop(), 90_000);

function pathOf({ operationId, path }: Operation): string {
  const [maker, ...way] = MADE_BY[operationId] ?? [];
  if (maker === undefined) return path;
  const id = way.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], answers.get(maker));
  return path.replace(/\{\w+\}/, String(id));
}

it('every operation that takes a body shows one', () => {
  const taking = OPERATIONS.filter(({ body, takesForm }) => body !== undefined || takesForm);
  expect(taking.filter(({ examples }) => Object.keys(examples).length === 0)).toEqual([]);
  expect(SHOWN.length).toBeGreaterThanOrEqual(taking.length - 1);
});

it('the document names the server that the operator set', async () => {
  const served = await fetch(`${new URL(own.description.base_url).origin}/openapi.json`);
  const { servers } = (await served.json()) as { servers: { url: string }[] };
  expect(servers.map(({ url }) => url)).toEqual([API_URL]);
});

/** Whole and unchanged, as the page sends them. The client also checks each answer against the document. */
describe('with the key of a stack that was just started, in the order of the document,', () => {
  it.each(SHOWN.map((shown) => [shown.operation.operationId, shown.name, shown] as const))(
    '%s takes the body "%s"',
    async (operationId, _name, { operation, body }) => {
      const form = operation.takesForm ? fileForm(Buffer.from((body as { file: string }).file)) : undefined;
      const sent = merchant.send(operation.method, pathOf(operation), form ? undefined : body, form);
      answers.set(operationId, await dataOf(sent, operation.successStatus));
    },
  );
});
