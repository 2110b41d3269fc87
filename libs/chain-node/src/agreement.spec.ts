import { type Agreement, agreedBlock, agreedHeight, agreedLogs, agreedReceipt, type Statement } from './agreement';
import type { Block, Hash, Log } from './chain-node';
import { NodeFailure } from './node-failure';

const hashOf = (digit: string): Hash => `0x${digit.repeat(64)}`;
const BLOCK: Block = { number: 7, hash: hashOf('7'), parentHash: hashOf('6'), timestamp: 70 };
const LOG: Log = {
  ...{ address: `0x${'a'.repeat(40)}`, topics: [hashOf('1')], data: '0x01', logIndex: 0 },
  ...{ blockHash: BLOCK.hash, blockNumber: 7, transactionHash: hashOf('9') },
};
const throttled = new NodeFailure({ kind: 'throttled', node: 'b', method: 'eth_getLogs', detail: 'later' });

const said = <Value>(...values: (Value | undefined)[]): Statement<Value>[] =>
  values.map((value, index) => ({ node: 'abc'[index] ?? '', value }));
const stateOf = ({ state }: Agreement<unknown>) => state;

describe('agreement', () => {
  it.each<[Agreement<unknown>['state'], string, Statement<Block>[]]>([
    ['agreed', 'one node alone', said(BLOCK)],
    ['agreed', 'both the same', said(BLOCK, { ...BLOCK })],
    ['absent', 'neither has it', said<Block>(undefined, undefined)],
    ['incomplete', 'one does not have it', said(BLOCK, undefined)],
    [
      'incomplete',
      'one said nothing, and the other does not have it',
      [
        { node: 'a', value: undefined },
        { node: 'b', value: undefined, failure: throttled },
      ],
    ],
    ['disagreed', 'another hash', said(BLOCK, { ...BLOCK, hash: hashOf('8') })],
    ['disagreed', 'another parent', said(BLOCK, { ...BLOCK, parentHash: hashOf('8') })],
    ['disagreed', 'another height', said(BLOCK, { ...BLOCK, number: 8 })],
    ['disagreed', 'the third is of another opinion', said(BLOCK, BLOCK, { ...BLOCK, number: 8 })],
  ])('%s: %s', (state, _, statements) => expect(stateOf(agreedBlock('it', statements))).toBe(state));

  it('names each node that does not have it, and what each said where they differ', () => {
    expect(agreedBlock('it', said(BLOCK, undefined, undefined))).toEqual({
      state: 'incomplete',
      missingOn: ['b', 'c'],
      value: BLOCK,
    });
    const other = { ...BLOCK, hash: hashOf('8') };
    expect(agreedBlock('block 7', said(BLOCK, other))).toEqual({
      state: 'disagreed',
      reason: [
        `Nodes disagree about block 7: a says 7 ${BLOCK.hash} after ${BLOCK.parentHash}`,
        `b says 7 ${other.hash} after ${BLOCK.parentHash}`,
      ].join('; '),
    });
  });

  it.each<[string, readonly Log[]]>([
    ['one log less', []],
    ['one more', [LOG, { ...LOG, logIndex: 1 }]],
    ['another amount', [{ ...LOG, data: '0x02' }]],
    ['another contract', [{ ...LOG, address: `0x${'b'.repeat(40)}` }]],
    ['another topic', [{ ...LOG, topics: [hashOf('2')] }]],
    ['another transaction', [{ ...LOG, transactionHash: hashOf('8') }]],
    ['another place', [{ ...LOG, logIndex: 1 }]],
  ])('of logs, there is none with %s', (_, logs) =>
    expect(stateOf(agreedLogs(BLOCK.hash, said<readonly Log[]>([LOG], logs)))).toBe('disagreed'),
  );

  it('of a receipt, there is none about whether it succeeded, or in which block', () => {
    const receipt = {
      ...{ transactionHash: LOG.transactionHash, blockHash: BLOCK.hash, blockNumber: 7, succeeded: true },
      ...{ gasUsed: 1n, effectiveGasPrice: 1n, logs: [{ ...LOG, ordinal: 0 }] },
    };
    const receiptWith = (changed: object) =>
      stateOf(agreedReceipt(LOG.transactionHash, said(receipt, { ...receipt, ...changed })));
    expect(receiptWith({})).toBe('agreed');
    expect(receiptWith({ succeeded: false })).toBe('disagreed');
    expect(receiptWith({ blockHash: hashOf('8') })).toBe('disagreed');
    expect(receiptWith({ logs: [] })).toBe('disagreed');
  });
});

describe('the height that all have', () => {
  it('is the lowest', () => expect(agreedHeight(said(BLOCK, { ...BLOCK, number: 5 }))).toBe(5));
  it('is unknown while one says nothing', () => expect(agreedHeight(said(BLOCK, undefined))).toBeUndefined());
  it('is unknown without nodes', () => expect(agreedHeight([])).toBeUndefined());
});
