import { activeFilters, addressOf, csvAddress, filterParameters, filtersOf, withFilter } from './filters';

const CUSTOMER = '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80';
const ALL = {
  ...{ status: 'PENDING', transaction_type: 'INTERNAL TRANSFER', transaction_mode: 'DEBIT', currency: 'USDC' },
  ...{ waiting_for: 'approval', customer_id: CUSTOMER, transaction_id: 'K7Q2ZP9X4B', search: '50%_' },
  ...{ start_date: '2026-01-01', end_date: '2026-01-31', page: 3, limit: 50 },
};

describe('the filters of the transactions', () => {
  it('survive the way through the address, every one of them', () => {
    const query = new URLSearchParams(addressOf(ALL)).toString();
    expect(filtersOf(Object.fromEntries(new URLSearchParams(query)))).toEqual(ALL);
    expect(activeFilters(ALL)).toHaveLength(10);
  });

  it('an address without filters is the first page of everything, and stays short', () => {
    const filters = filtersOf({});
    expect(filters).toEqual({ page: 1, limit: 20 });
    expect(addressOf(filters)).toEqual({});
    expect(filterParameters(filters)).toEqual({ limit: '20' });
  });

  it.each([
    ['status', 'pending'],
    ['currency', 'BTC'],
    ['customer_id', '1'],
    ['start_date', '2026-02-31'],
    ['start_date', '31.01.2026'],
    ['search', 'x'.repeat(65)],
    ['page', '0'],
    ['page', '-1'],
    ['page', '1e3'],
    ['limit', '1000'],
    ['status', ['PENDING']],
    ['__proto__', 'x'],
  ])('%s=%p is no filter', (name, value) => expect(filtersOf({ [name]: value })).toEqual({ page: 1, limit: 20 }));

  it('digits that a router has read as a number are a text again', () => {
    expect(filtersOf({ search: 42, page: 2 })).toMatchObject({ search: '42', page: 2 });
  });

  it('an id is in small letters, as answers have it', () => {
    expect(filtersOf({ customer_id: CUSTOMER.toUpperCase() })).toMatchObject({ customer_id: CUSTOMER });
  });

  it('a changed filter begins at the first page, and an empty one is gone', () => {
    expect(withFilter(ALL, 'status', 'FAILED')).toEqual({ ...ALL, status: 'FAILED', page: 1 });
    expect(withFilter(ALL, 'status', undefined)).not.toHaveProperty('status');
    expect(withFilter(ALL, 'search', '  ')).not.toHaveProperty('search');
  });

  it('a range that would end before it begins loses its end', () => {
    expect(withFilter(ALL, 'start_date', '2026-02-10')).not.toHaveProperty('end_date');
    expect(withFilter(ALL, 'start_date', '2026-01-31')).toMatchObject({ end_date: '2026-01-31' });
  });

  it('the CSV is of all that they find, not of one page', () => {
    expect(csvAddress(undefined, filtersOf({ page: 7 }))).toBe('/api/transactions.csv');
    expect(csvAddress('m 1', filtersOf({ page: 7 }))).toBe('/api/merchants/m%201/transactions.csv');
    expect(csvAddress(undefined, { page: 7, limit: 50, search: '50%_', status: 'FAILED' })).toBe(
      '/api/transactions.csv?status=FAILED&search=50%25_',
    );
  });
});
