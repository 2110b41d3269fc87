import { paginationOf } from './envelope';

describe('paginationOf', () => {
  it.each([
    [0, 10, 0],
    [1, 10, 1],
    [10, 10, 1],
    [11, 10, 2],
  ])('%i rows by %i are %i pages', (total, limit, totalPages) => {
    expect(paginationOf({ items: [], total, page: 1, limit })).toEqual({ total, page: 1, limit, totalPages });
  });
});
