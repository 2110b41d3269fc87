import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Controller, Get, Post } from '@nestjs/common';
import { ALL_EVENT_TYPES } from '@stablecoin/contracts/customer/webhook-views';
import { MatchesPattern } from '@stablecoin/contracts/wire/fields/text';
import { CONTROLLERS } from '../gateway.module';
import { MESSAGE_ONLY } from '@stablecoin/http-answers/envelope';
import { FromBody } from '../routes/input';
import { JsonSchema } from '@stablecoin/http-answers/json-schema';
import { Route } from '../routes/route';
import { OpenWalletBody } from '../wallets/wallet-requests';
import { fieldsOf } from './class-schema';
import { openApiDocument } from './openapi-document';

interface Parameter {
  name: string;
  description?: string;
  schema: JsonSchema;
}

type Content = Record<'application/json', { schema: JsonSchema }>;

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        responses: Record<string, { description?: string; $ref?: string; content?: Content }>;
        parameters: Parameter[];
        requestBody?: { content: Record<string, { schema: JsonSchema; examples: Record<string, { value: unknown }> }> };
      }
    >
  >;
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>;
  servers: { url: string }[];
  components: { schemas: Record<string, JsonSchema> };
}

/** Each route with the name that clients call it by, which is for ever. */
const ROUTES: Readonly<Record<string, string>> = {
  'get /policy': 'getPolicy',
  'post /payouts/{transaction_id}/approve': 'approvePayout',
  'post /payouts/{transaction_id}/reject': 'rejectPayout',
  'get /transactions': 'listTransactions',
  'get /customers/transactions/by_customer_id/{customer_id}': 'listCustomerTransactions',
  'get /customers/transactions/by_txid/{transaction_id}': 'getTransaction',
  'get /customers/transactions/by_ref_id/{reference_id}': 'listTransactionsByReference',
  'get /customers': 'listCustomers',
  'get /customers/{customerId}': 'getCustomer',
  'post /customers/{customerId}/close': 'closeCustomer',
  'post /individual-customers': 'createIndividualCustomer',
  'put /individual-customers/{customerId}': 'updateIndividualCustomer',
  'post /business-customers': 'createBusinessCustomer',
  'put /business-customers/{customerId}': 'updateBusinessCustomer',
  'post /documents': 'uploadDocument',
  'post /wallets': 'openWallet',
  'get /wallets': 'listWallets',
  'get /wallets/{wallet_id}': 'getWallet',
  'get /asset-codes': 'listAssetCodes',
  'post /instant-swaps': 'createQuote',
  'post /swaps/{swapId}/refresh': 'refreshQuote',
  'get /swaps/{swapId}': 'getSwap',
  'post /swaps': 'executeSwap',
  'post /payouts/banks': 'createBankPayout',
  'post /payouts/wallets': 'createWalletPayout',
  'get /payout/methods': 'listPayoutMethods',
  'post /payout/methods/wallets': 'addWalletPayoutMethod',
  'post /payout/methods/banks': 'addBankPayoutMethod',
  'delete /payout/methods/{payout_method_id}': 'deletePayoutMethod',
  'post /webhooks': 'createWebhook',
  'get /webhooks': 'listWebhooks',
  'get /webhooks/{webhook_id}': 'getWebhook',
  'put /webhooks/{webhook_id}': 'updateWebhook',
  'delete /webhooks/{webhook_id}': 'deleteWebhook',
  'post /webhooks/{webhook_id}/rotate-secret': 'rotateWebhookSecret',
  'post /webhooks/{webhook_id}/test': 'testWebhook',
  'get /events': 'listEvents',
  'get /events/{event_id}': 'getEvent',
  'post /events/{event_id}/resend': 'resendEvent',
  'post /sandbox/deposits': 'createSandboxDeposit',
  'post /sandbox/deposits/{id}/complete': 'completeSandboxDeposit',
  'post /sandbox/deposits/{id}/fail': 'failSandboxDeposit',
  'post /sandbox/deposits/{id}/reverse': 'reverseSandboxDeposit',
  'post /sandbox/payouts/{id}/complete': 'completeSandboxPayout',
  'post /sandbox/payouts/{id}/fail': 'failSandboxPayout',
  'post /sandbox/payouts/{id}/return': 'returnSandboxPayout',
  'get /audit/balances': 'getPastBalance',
  'get /audit/transactions/{transaction_id}': 'explainTransaction',
  'get /audit/proofs/{transaction_id}': 'proveTransaction',
  'get /audit/liabilities/{wallet_id}': 'proveLiability',
  'get /audit/checkpoints': 'listCheckpoints',
  'get /audit/consistency': 'proveConsistency',
};

describe('interface document', () => {
  const document = openApiDocument(CONTROLLERS) as Document;
  const fields = [...fieldsWithin(document)];
  const ajv = checkerOf(document);
  const { schemas } = document.components;

  it('has every route', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [`${method} ${path}`, operationId]),
    );
    expect(Object.fromEntries(found)).toEqual(ROUTES);
  });

  it('names a whole server, so that a client needs no other setting to begin with', () => {
    expect(document.servers.map(({ url }) => url)).toEqual(['http://127.0.0.1:3000/api']);
    const elsewhere = openApiDocument(CONTROLLERS, 'https://api.example.com/api') as Document;
    expect(elsewhere.servers.map(({ url }) => url)).toEqual(['https://api.example.com/api']);
  });

  it('tells events and customers apart by a field, and has the same events under webhooks', () => {
    const { Event, EventWithDeliveries, Customer, PayoutMethod } = schemas;
    expect(Customer?.discriminator?.propertyName).toBe('customer_type');
    expect(PayoutMethod?.discriminator?.propertyName).toBe('type');
    expect(Object.keys(Event?.discriminator?.mapping ?? {})).toEqual([...ALL_EVENT_TYPES]);
    expect(Object.keys(EventWithDeliveries?.discriminator?.mapping ?? {})).toEqual([...ALL_EVENT_TYPES]);
    const sent = Object.entries(document.webhooks).map(([type, { post }]) => [
      type,
      post.requestBody.content['application/json'].schema.$ref,
    ]);
    expect(Object.fromEntries(sent)).toEqual(Event?.discriminator?.mapping);
    for (const [type, $ref] of Object.entries(Event?.discriminator?.mapping ?? {})) {
      expect(schemas[$ref.split('/').at(-1) ?? '']?.properties?.['type']).toMatchObject({ const: type });
    }
  });

  it.each([
    ['post', '/individual-customers', 'ChangedIndividualCustomer'],
    ['put', '/individual-customers/{customerId}', 'ChangedIndividualCustomer'],
    ['post', '/business-customers', 'ChangedBusinessCustomer'],
    ['put', '/business-customers/{customerId}', 'ChangedBusinessCustomer'],
    ['post', '/payout/methods/wallets', 'WalletPayoutMethod'],
    ['post', '/payout/methods/banks', 'BankPayoutMethod'],
    ['get', '/customers/{customerId}', 'Customer'],
  ])('%s %s answers with %s', (method, path, name) => {
    const { responses } = document.paths[path]?.[method] ?? {};
    const [success] = Object.values(responses ?? {});
    expect(success?.content?.['application/json'].schema.properties?.['data']?.$ref).toBe(
      `#/components/schemas/${name}`,
    );
  });

  it('shows bodies that are valid', () => {
    const shown = Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ operationId, requestBody }) =>
        Object.values(requestBody?.content ?? {}).map((content) => ({ operationId, ...content })),
      );
    expect(shown.length).toBeGreaterThan(15);
    const wrong = shown.flatMap(({ operationId, schema, examples }) =>
      Object.entries(examples)
        .filter(([, { value }]) => !isValid(ajv, schema, value))
        .map(([name]) => `${operationId}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('reads bodies from the rules that check them', () => {
    expect(schemas['OpenWalletBody']).toMatchObject({
      type: 'object',
      properties: {
        currency: { type: 'string', enum: ['USDC', 'USDT', 'USD', 'NGN', 'GBP', 'EUR', 'CAD'] },
        customer_id: { type: ['string', 'null'], format: 'uuid' },
        network: { type: ['string', 'null'], enum: ['erc20', 'bep20', 'solana', 'trc20', 'polygon', null] },
        description: { type: ['string', 'null'], minLength: 0, maxLength: 255 },
      },
      required: ['currency'],
      additionalProperties: false,
    });
    expect(schemas['CreateIndividualBody']?.required).toEqual([
      'first_name',
      'last_name',
      'email',
      'phone',
      'birth_date',
      'account_purpose',
      'employment_status',
      'expected_monthly_income',
      'most_recent_occupation',
      'source_of_funds',
      'registered_address',
    ]);
    expect(schemas['BusinessOwnerBody']?.properties?.['supporting_documents']).toBeDefined();
    const bodies = Object.entries(schemas).filter(([name]) => name.endsWith('Body'));
    expect(JSON.stringify(bodies)).not.toMatch(/merchant_id|input_hash|command_id/);
  });

  it('names statuses and codes of refusals', () => {
    const { responses } = document.paths['/payouts/banks']?.['post'] ?? {};
    expect(Object.keys(responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '414',
      '415',
      '422',
      '429',
      '431',
      '500',
      '503',
    ]);
    expect(responses?.['422']?.description).toContain('`insufficient_funds`');
    expect(Object.keys(document.paths['/individual-customers']?.['post']?.responses ?? {})[0]).toBe('201');
  });

  it('explains every field: a field listed below needs a line in glossary.table.ts', () => {
    expect(fields.filter(({ schema }) => !schema.description).map(({ place }) => place)).toEqual([]);
  });

  it('has an example for every field that needs one: a field listed below has none, or a wrong one', () => {
    const wrong = fields.filter(({ schema }) => needsExample(schema) && !isValid(ajv, schema, schema.examples?.[0]));
    expect(wrong.map(({ place, schema }) => `${place}: ${String(schema.examples?.[0])}`)).toEqual([]);
  });

  it('refuses a rule whose code has no explanation', () => {
    class Body {
      @MatchesPattern({ pattern: /^x$/, code: 'mystery', message: 'must be x' }) letter: string;
    }
    expect(() => fieldsOf(Body, () => '')).toThrow(/mystery.*letter.*field-code-table/);
  });

  it('refuses a route that does not say what it responds', () => {
    @Controller('somewhere')
    class Undescribed {
      @Get()
      read() {
        return {};
      }
    }
    expect(() => openApiDocument([Undescribed])).toThrow(/Undescribed\.read .* add @Route\(.*response-schema\.ts/);
  });

  it('refuses two routes of one name, a body without an example, and a part that nothing explains', () => {
    const described = { summary: 'Read it', answer: 'It', responds: MESSAGE_ONLY };
    const answer = () => ({ status: 'success' as const, message: 'read' });
    @Controller('twice')
    class WalletsController {
      @Get('one') @Route({ ...described, operationId: 'readIt' }) one() {
        return answer();
      }
      @Get('other') @Route({ ...described, operationId: 'readIt' }) other() {
        return answer();
      }
    }
    expect(() => openApiDocument([WalletsController])).toThrow('two routes have the operationId readIt');
    @Controller('bodies')
    class PayoutsController {
      @Post() @Route({ ...described, operationId: 'makeIt' }) make(@FromBody(OpenWalletBody) _body: OpenWalletBody) {
        return answer();
      }
    }
    expect(() => openApiDocument([PayoutsController])).toThrow('PayoutsController.make takes a body: show one');
    @Controller('parts')
    class UnknownController {
      @Get() @Route({ ...described, operationId: 'readPart' }) read() {
        return answer();
      }
    }
    expect(() => openApiDocument([UnknownController])).toThrow('UnknownController has no description');
  });
});

/** Every field and parameter, with its place in the document. */
function* fieldsWithin({ components, paths }: Document): Generator<{ place: string; schema: JsonSchema }> {
  for (const [name, schema] of Object.entries(components.schemas)) yield* fieldsIn(name, schema);
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const { name, schema, description } of operation.parameters.filter((parameter) => 'name' in parameter)) {
      yield { place: `parameter ${name}`, schema: { ...schema, ...(description && { description }) } };
    }
  }
}

function* fieldsIn(owner: string, schema: JsonSchema): Generator<{ place: string; schema: JsonSchema }> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield { place: `${owner}.${name}`, schema: field };
    yield* fieldsIn(owner, field);
  }
  for (const inner of [schema.items, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
    if (inner) yield* fieldsIn(owner, inner);
  }
}

/** Whether its type, choices or reference don't already show an example. */
function needsExample({ type, enum: values, const: constant, $ref, oneOf, anyOf, description }: JsonSchema): boolean {
  if (values !== undefined || constant !== undefined || $ref !== undefined || type === 'null') return false;
  if (description?.includes('left alone') || [type ?? []].flat().includes('array')) return false;
  return ![...(oneOf ?? []), ...(anyOf ?? [])].some((shape) => shape.$ref) && type !== 'object';
}

/** In strict mode, so that a misspelt keyword, or one without effect in its place, is an error. */
function checkerOf(document: Document): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats(ajv);
  ajv.addVocabulary([
    'openapi',
    'info',
    'servers',
    'security',
    'tags',
    'paths',
    'webhooks',
    'components',
    'x-refusals',
  ]);
  ajv.addVocabulary(['discriminator']);
  ajv.addSchema({ $id: 'interface', ...document });
  return ajv;
}

function isValid(ajv: Ajv2020, schema: JsonSchema, example: unknown): boolean {
  const located = JSON.stringify(schema).replaceAll('"#/components', '"interface#/components');
  return example !== undefined && ajv.validate(JSON.parse(located) as object, example);
}
