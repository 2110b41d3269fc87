import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { readQuery } from '@stablecoin/http-answers/query';
import { ListCustomerTransactionsQuery, ListTransactionsQuery } from './transaction-requests';

function problemsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return ((error as Refusal).fields ?? []).map(({ field, code }) => `${field}: ${code}`);
  }
}

describe('query of GET /transactions', () => {
  it.each([
    [{}, []],
    [{ page: '2', limit: '100', currency: 'NGN', transaction_type: 'INTERNAL TRANSFER' }, []],
    [{ currency: 'usdc' }, ['currency: unsupported_currency']],
    [{ page: '0' }, ['page: invalid_page']],
    [{ limit: '101' }, ['limit: invalid_limit']],
    [{ limit: '10', page: '1.0' }, ['page: invalid_page']],
    [{ start_date: '2026-01-02', end_date: '2026-01-02' }, []],
    [{ start_date: '2026-01-02', end_date: '2026-01-01' }, ['end_date: invalid_date_range']],
    [{ start_date: '2026-02-30' }, ['start_date: invalid_date']],
    [{ customer_id: 'x' }, ['customer_id: invalid_uuid']],
    [{ status: ['PENDING', 'FAILED'], limit: '0' }, ['status: repeated_parameter', 'limit: invalid_limit']],
    [{ foo: '1' }, ['foo: unknown_field']],
  ])('%j → %j', (query, problems) => {
    expect(problemsOf(() => readQuery(ListTransactionsQuery, query))).toEqual(problems);
  });

  it('has defaults', () => {
    expect(readQuery(ListTransactionsQuery, {})).toMatchObject({ page: 1, limit: 10 });
  });
});

describe('query of the listing by customer', () => {
  it('takes any currency in any case, and twenty a page', () => {
    expect(readQuery(ListCustomerTransactionsQuery, { currency: 'doge' })).toMatchObject({
      currency: 'DOGE',
      limit: 20,
    });
  });

  it.each([
    [{ customer_id: '5b7e2f0e-1111-4222-8333-444455556666' }, ['customer_id: unknown_field']],
    [{ end_date: '2026-01-01', start_date: '2026-01-02' }, ['end_date: invalid_date_range']],
  ])('%j → %j', (query, problems) => {
    expect(problemsOf(() => readQuery(ListCustomerTransactionsQuery, query))).toEqual(problems);
  });
});
