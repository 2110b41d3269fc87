import { transactionOf } from './live';

it.each([
  ['{"transaction_id":"K7Q2ZP9X4B"}', 'K7Q2ZP9X4B'],
  ['{"transaction_id":1}', undefined],
  ['{}', undefined],
  ['null', undefined],
  ['not JSON', undefined],
])('%s names %s', (data, id) => expect(transactionOf(data)).toBe(id));
