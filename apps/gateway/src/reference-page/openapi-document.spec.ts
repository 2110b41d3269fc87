import { CONTROLLERS } from '../gateway.module';
import { openApiDocument } from './openapi-document';

interface Document {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { description: string }>; parameters: { name: string }[] }>
  >;
  components: { schemas: Record<string, { properties?: Record<string, object>; required?: string[] }> };
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
  'post /sandbox/deposits',
  'post /sandbox/payouts/{id}/complete',
  'post /sandbox/payouts/{id}/fail',
  'post /sandbox/payouts/{id}/return',
];

describe('interface document', () => {
  const document = openApiDocument(CONTROLLERS) as Document;
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
});
