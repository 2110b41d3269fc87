import { Booked, commandNameOf, nextStep } from './deposit';

const TOKEN = '0xdac17f958d2ee523a2206206994597c13d831ec7';

it.each([
  ['included', 'nothing', 'record'],
  ['final', 'nothing', 'record'],
  ['orphaned', 'nothing', undefined],
  ['gone', 'nothing', undefined],
  // The ledger may know it already: it has to be known under which id before it can be failed.
  ['included', 'recording', 'record'],
  ['orphaned', 'recording', 'record'],
  ['gone', 'recording', 'record'],
  ['included', 'recorded', undefined],
  ['orphaned', 'recorded', undefined],
  ['final', 'recorded', 'confirm'],
  ['gone', 'recorded', 'fail'],
  ['final', 'completed', undefined],
  ['orphaned', 'completed', undefined],
  ['included', 'completed', undefined],
  ['gone', 'completed', 'reverse'],
  ['gone', 'failed', undefined],
  ['gone', 'reversed', undefined],
  ['final', 'unrecognised', undefined],
  ['gone', 'unrecognised', undefined],
  ['final', 'resolved', undefined],
] as const)('%s and %s at the ledger: %s', (standing, booked: Booked, step) => {
  expect(nextStep({ standing, booked })).toBe(step);
});

it('names the commands by chain, transaction, token, ordinal and round', () => {
  const name = { transactionHash: '0xab', token: TOKEN, ordinal: 2 } as const;
  expect(commandNameOf(56, name, 0)).toBe(`deposit:56:0xab:${TOKEN}:2:0`);
});
