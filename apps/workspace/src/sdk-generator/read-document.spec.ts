import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { OpenApiDocument } from './openapi-document';
import { modelOf, sdkModel } from './read-document';
import { SdkField, SdkMethod, SdkModel, SdkType } from './sdk-model';

const committed = (): OpenApiDocument =>
  JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as OpenApiDocument;

function methodOf({ resources }: SdkModel, resource: string, method: string): SdkMethod | undefined {
  return resources.find(({ name }) => name === resource)?.methods.find(({ name }) => name === method);
}

function fieldOf(types: readonly SdkType[], typeName: string, field: string): SdkField | undefined {
  const type = types.find(({ name }) => name === typeName)?.type;
  return type?.kind === 'object' ? type.fields.find(({ name }) => name === field) : undefined;
}

describe('The model that the SDKs are made of', () => {
  const model = sdkModel();

  it('has a method for every operation of the document', () => {
    const operations = Object.values(committed().paths).flatMap((each) => Object.values(each));
    const named = model.resources.flatMap(({ methods }) => methods.map(({ operationId }) => operationId));
    expect([...named].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  it('refuses an operation without a name, and a name without an operation', () => {
    const document = committed();
    const wallets = document.paths['/wallets'] ?? {};
    wallets['get']!.operationId = 'listPurses';
    expect(() => modelOf(document)).toThrow('method-names.ts has no name for listPurses');
    delete wallets['get'];
    expect(() => modelOf(document)).toThrow('method-names.ts names listWallets, which the document lacks');
  });

  it('gives no two methods or types the same name', () => {
    const methods = model.resources.flatMap(({ name, methods: all }) => all.map((method) => `${name}.${method.name}`));
    const types = model.types.map(({ name }) => name);
    expect(new Set(methods).size).toBe(methods.length);
    expect(new Set(types).size).toBe(types.length);
  });

  it('names types for people: a body is the parameters of something', () => {
    expect(model.types.filter(({ name }) => /Body$/.test(name))).toEqual([]);
  });

  it('says of a write what it takes, gives and is refused with', () => {
    expect(methodOf(model, 'payouts', 'createToBank')).toMatchObject({
      httpMethod: 'POST',
      path: '/payouts/banks',
      body: { mediaType: 'application/json', typeName: 'BankPayoutParams', required: true },
      answer: { kind: 'value', type: { kind: 'named', name: 'Payout' }, path: ['data'] },
      takesIdempotencyKey: true,
      errorCodes: expect.arrayContaining(['validation_failed', 'insufficient_funds', 'rate_limited', 'unavailable']),
    });
  });

  it('tells pages from lists that come whole, and knows their query', () => {
    expect(methodOf(model, 'transactions', 'list')).toMatchObject({
      query: { typeName: 'TransactionListParams', required: false },
      answer: { kind: 'page', item: { kind: 'named', name: 'Transaction' } },
      takesIdempotencyKey: false,
    });
    expect(methodOf(model, 'assets', 'list')?.answer.kind).toBe('value');
    expect(methodOf(model, 'audit', 'consistency')?.query?.required).toBe(true);
  });

  it('opens an envelope in an envelope, and hands nothing back where there is nothing', () => {
    expect(methodOf(model, 'quotes', 'create')?.answer).toMatchObject({ path: ['data', 'data'] });
    expect(methodOf(model, 'webhooks', 'delete')?.answer).toEqual({ kind: 'nothing' });
  });

  it('names the arguments of a path', () => {
    expect(methodOf(model, 'wallets', 'get')?.pathParameters).toMatchObject([
      { name: 'walletId', wireName: 'wallet_id' },
    ]);
    expect(methodOf(model, 'sandbox', 'failPayout')?.pathParameters).toMatchObject([
      { name: 'payoutId', wireName: 'id' },
    ]);
  });

  it('knows the form of a file', () => {
    expect(methodOf(model, 'documents', 'upload')?.body).toMatchObject({
      mediaType: 'multipart/form-data',
      field: 'file',
    });
  });

  it('takes amounts as text only, and currencies by their name, in bodies as in answers', () => {
    expect(fieldOf(model.types, 'WalletPayoutParams', 'amount')?.type).toEqual({ kind: 'text' });
    expect(fieldOf(model.types, 'BankPayoutParams', 'currency')?.type).toEqual({ kind: 'named', name: 'Currency' });
    expect(fieldOf(model.types, 'Wallet', 'currency')?.type).toEqual({ kind: 'named', name: 'Currency' });
  });

  it('says where an exact amount is sent, and only there', () => {
    const amounts = model.types.flatMap(({ name, type }) =>
      type.kind === 'object'
        ? type.fields.filter((field) => field.takesAmount).map((field) => `${name}.${field.name}`)
        : [],
    );
    expect(amounts).toEqual(
      expect.arrayContaining([
        'BankPayoutParams.amount',
        'WalletPayoutParams.amount',
        'QuoteRefreshParams.from_amount',
        'IndividualCustomerParams.expected_monthly_income',
      ]),
    );
    expect(amounts.filter((name) => !/amount$|^\w+\.expected_monthly_\w+$/.test(name))).toEqual([]);
  });

  it('has every code of docs/ERRORS.md with its status', () => {
    const page = readFileSync(join(ROOT, 'docs/ERRORS.md'), 'utf8');
    const written = [...page.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map(([, status, code]) => `${status} ${code}`);
    expect(model.errors.map(({ status, code }) => `${status} ${code}`).sort()).toEqual(written.sort());
    expect(model.errors).toContainEqual(
      expect.objectContaining({ code: 'insufficient_funds', status: 422, className: 'InsufficientFundsError' }),
    );
    const codes = model.resources.flatMap(({ methods }) => methods.flatMap(({ errorCodes }) => errorCodes));
    expect(model.errors.map(({ code }) => code)).toEqual(expect.arrayContaining([...new Set(codes)]));
  });

  it('has the type of every event', () => {
    expect(model.events).toContainEqual(
      expect.objectContaining({ type: 'payout.completed', typeName: 'PayoutCompletedEvent' }),
    );
    expect(model.events).toHaveLength(Object.keys(committed().webhooks).length);
  });
});
