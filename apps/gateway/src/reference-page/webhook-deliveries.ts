import { EVENTS } from '@stablecoin/merchant-resources/webhooks/event.presenter';
import { JsonSchema } from '@stablecoin/http-answers/json-schema';
import { TAGS } from './tags.table';

/** What is sent to a merchant's webhooks, as OpenAPI 3.1 describes it: an operation that the merchant's server answers. */

const SAYS: Readonly<Record<keyof typeof EVENTS, string>> = {
  'customer.created': 'A customer was registered',
  'customer.updated': 'A customer, or how far its review has come, was changed',
  'customer.closed': 'A customer was closed',
  'deposit.pending': 'A deposit was seen: it can be spent once it is final',
  'deposit.completed': 'A deposit can be spent',
  'deposit.failed': 'A deposit that was seen did not become final: no money has moved',
  'deposit.reversed': 'A completed deposit is gone: its money is out of the wallet, which can be below zero by it',
  'swap.completed': 'Both sides of a swap are settled',
  'payout.approval_required': 'A payout waits until another key approves it, with its money held',
  'payout.completed': 'A payout arrived',
  'payout.failed': 'A payout failed: its money is back in the wallet',
  'payout.reversed': 'A completed payout came back: its money is in the wallet again',
  'webhook.test': 'You asked for a test of this webhook',
};

const HEADERS: readonly (readonly [name: string, says: string, schema: JsonSchema])[] = [
  [
    'webhook-id',
    'The id of the event, the same whenever it is sent again.',
    { type: 'string', format: 'uuid', examples: ['0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80'] },
  ],
  [
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970.',
    { type: 'string', pattern: '^\\d+$', examples: ['1769851800'] },
  ],
  [
    'webhook-signature',
    'A signature for each valid secret, with a space between: v1, a comma, and HMAC-SHA256 in base64.',
    { type: 'string', examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  ],
];

export function webhookDeliveries(): Record<string, object> {
  const [tag] = TAGS['Webhooks'] as readonly [string, string];
  return Object.fromEntries(
    Object.entries(EVENTS).map(([type, { schema }]) => [
      type,
      {
        post: {
          operationId: `receive${(schema.$ref as string).split('/').at(-1)}`,
          summary: SAYS[type as keyof typeof EVENTS],
          description: 'Answer 2xx within 15 seconds, else it is sent again: ten times over three days.',
          tags: [tag],
          security: [],
          parameters: HEADERS.map(([name, description, header]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: header,
          })),
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: {
            '2XX': { description: 'You have it. What you answer beside the status is not read.' },
            '410': { description: 'You want no more: the webhook is disabled.' },
          },
        },
      },
    ]),
  );
}
