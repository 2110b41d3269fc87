import { eachWithItsOwn } from './holdings';

it.each<[string, Parameters<typeof eachWithItsOwn>[0], string[]]>([
  ['one movement of one transfer', [{ id: 'a', logs: ['t:1'] }], ['a']],
  ['one that is not there', [{ id: 'a', logs: [] }], []],
  [
    'two equal ones in one transaction',
    [
      { id: 'a', logs: ['t:1', 't:2'] },
      { id: 'b', logs: ['t:1', 't:2'] },
    ],
    ['a', 'b'],
  ],
  [
    'two equal ones that the ledger has, of which the chain has one',
    [
      { id: 'a', logs: ['t:1'] },
      { id: 'b', logs: ['t:1'] },
    ],
    ['a'],
  ],
])('%s', (_, found, expected) => expect([...eachWithItsOwn(found)]).toEqual(expected));
