import type { FastifyRequest } from 'fastify';
import { costOf, costOfAnswer } from './request-cost';

const MIB = 1024 * 1024;

function costWith({ cost, query = {}, headers = {} }: { cost?: number; query?: object; headers?: object }): number {
  const routeOptions = { config: { cost }, bodyLimit: 15 * MIB };
  return costOf({ query, headers, routeOptions } as unknown as FastifyRequest);
}

describe('the cost of a request', () => {
  it.each([
    ['1 by itself', {}, 1],
    ['what its route declares', { cost: 5 }, 5],
    ['more with a search', { query: { search: 'x' } }, 5],
    ['as much with an empty search', { query: { search: '' } }, 1],
    ['one more for each 20 rows of a list', { query: { limit: '100' } }, 6],
    ['as much for the first thousand rows of a list', { query: { page: '51', limit: '10' } }, 1],
    ['one more for each thousand rows that a page skips', { query: { page: '301', limit: '10' } }, 4],
    ['twenty rows a page unless the query says otherwise', { query: { page: '101' } }, 3],
    ['at most fifty for skipped rows', { query: { page: '9007199254740991', limit: '10' } }, 51],
    ['nothing for a page that is no number', { query: { page: 'x', limit: '-1' } }, 1],
    ['nothing for a parameter given twice', { query: { page: ['100', '200'] } }, 1],
    ['nothing more for a small body', { headers: { 'content-length': '8191' } }, 1],
    ['one more for each 8 KiB of a body', { headers: { 'content-length': '102400' } }, 13],
    ['one more for each MiB of one with documents', { headers: { 'content-length': String(2 * MIB + 1) } }, 16],
    ['as the largest body for one without a length', { headers: { 'transfer-encoding': 'chunked' } }, 28],
  ])('is %s', (_name, request, cost) => {
    expect(costWith(request)).toBe(cost);
  });
});

it.each([
  [128 * 1024, 0],
  [128 * 1024 + 1, 1],
  [4 * MIB, 124],
])('an answer of %d bytes costs %d more', (bytes, cost) => {
  expect(costOfAnswer(bytes)).toBe(cost);
});
