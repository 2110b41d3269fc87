import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Controller, Get } from '@nestjs/common';
import { MatchesPattern } from '@stablecoin/contracts/wire/fields/text';
import { CONTROLLERS } from '../gateway.module';
import { JsonSchema } from '../routes/json-schema';
import { fieldsOf } from './class-schema';
import { openApiDocument } from './openapi-document';

interface Parameter {
  name: string;
  description?: string;
  schema: JsonSchema;
}

interface Document {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { description?: string; $ref?: string }>; parameters: Parameter[] }>
  >;
  components: { schemas: Record<string, JsonSchema> };
}

const ROUTES = [
  'get /transactions',
  'get /customers/transactions/by_customer_id/{customer_id}',
  'get /customers/transactions/by_txid/{transaction_id}',
  'get /customers/transactions/by_ref_id/{reference_id}',
  'get /customers',
  'get /customers/{customerId}',
  'post /customers/{customerId}/close',
  'post /individual-customers',
  'put /individual-customers/{customerId}',
  'post /business-customers',
  'put /business-customers/{customerId}',
  'post /documents',
  'post /wallets',
  'get /wallets',
  'get /wallets/{wallet_id}',
  'get /asset-codes',
  'post /instant-swaps',
  'post /swaps/{swapId}/refresh',
  'get /swaps/{swapId}',
  'post /swaps',
  'post /payouts/banks',
  'post /payouts/wallets',
  'get /payout/methods',
  'post /payout/methods/wallets',
  'post /payout/methods/banks',
  'delete /payout/methods/{payout_method_id}',
  'post /webhooks',
  'get /webhooks',
  'get /webhooks/{webhook_id}',
  'put /webhooks/{webhook_id}',
  'delete /webhooks/{webhook_id}',
  'post /webhooks/{webhook_id}/rotate-secret',
  'post /webhooks/{webhook_id}/test',
  'get /events',
  'get /events/{event_id}',
  'post /events/{event_id}/resend',
  'post /sandbox/deposits',
  'post /sandbox/payouts/{id}/complete',
  'post /sandbox/payouts/{id}/fail',
  'post /sandbox/payouts/{id}/return',
  'get /audit/balances',
  'get /audit/transactions/{transaction_id}',
  'get /audit/proofs/{transaction_id}',
  'get /audit/checkpoints',
  'get /audit/consistency',
];

describe('interface document', () => {
  const document = openApiDocument(CONTROLLERS) as Document;
  const fields = [...fieldsWithin(document)];
  const ajv = checkerOf(document);
  const { schemas } = document.components;

  it('has every route', () => {
    const found = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(found.sort()).toEqual([...ROUTES].sort());
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
  ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'paths', 'components']);
  ajv.addSchema({ $id: 'interface', ...document });
  return ajv;
}

function isValid(ajv: Ajv2020, schema: JsonSchema, example: unknown): boolean {
  const located = JSON.stringify(schema).replaceAll('"#/components', '"interface#/components');
  return example !== undefined && ajv.validate(JSON.parse(located) as object, example);
}
