import { Block } from '@stablecoin/chain-node/chain-node';
import { hashOf } from '../testing/simulated-chain';
import { connect, linked } from './connect';

const block = (number: number, branch = 'a', parent = branch): Block => ({
  number,
  hash: hashOf(branch, number),
  parentHash: hashOf(parent, number - 1),
  timestamp: number,
});
const tail = [block(10), block(11), block(12)];

it.each([
  ['follows the tip', block(13), { kind: 'connected', ancestor: tail[2], replaced: [] }],
  ['replaces the tip', block(12, 'b', 'a'), { kind: 'connected', ancestor: tail[1], replaced: [tail[2]] }],
  [
    'replaces all but the oldest',
    block(11, 'b', 'a'),
    { kind: 'connected', ancestor: tail[0], replaced: tail.slice(1) },
  ],
  ['has an unknown parent', block(13, 'b'), { kind: 'unknown_parent', parent: hashOf('b', 12) }],
  ['parts at the oldest', block(11, 'b'), { kind: 'too_deep' }],
  ['parts below', block(9, 'b'), { kind: 'too_deep' }],
])('a block that %s', (_what, first, connection) => {
  expect(connect(tail, first)).toEqual(connection);
});

it('takes blocks as far as each names the one before', () => {
  expect(linked([block(13), block(14), block(15, 'b'), block(16, 'b')])).toEqual([block(13), block(14)]);
  expect(linked([block(13), block(14)])).toHaveLength(2);
  expect(linked([])).toEqual([]);
});
