import { MalformedAnswer } from './answer-readers';
import { blockFrom, feeHistoryFrom, logsFrom, receiptFrom, transactionFrom } from './answers';

const hashOf = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`;
const addressOf = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const [BLOCK_HASH, HASH] = [hashOf('b'), hashOf('a')];

const block = { number: '0x7', hash: BLOCK_HASH, parentHash: hashOf('6'), timestamp: '0x65', baseFeePerGas: '0x0' };
const log = {
  ...{ address: addressOf('c'), topics: [hashOf('1')], data: '0x', logIndex: '0x3' },
  ...{ blockHash: BLOCK_HASH, blockNumber: '0x7', transactionHash: HASH },
};
const receipt = {
  ...{ transactionHash: HASH, blockHash: BLOCK_HASH, blockNumber: '0x7', status: '0x1', gasUsed: '0x5208' },
  ...{ effectiveGasPrice: '0x1', logs: [log, { ...log, logIndex: '0x5' }] },
};
const transaction = {
  ...{ hash: HASH, from: addressOf('d'), to: null, nonce: '0x0', value: '0xde0b6b3a7640000', input: '0x6001' },
  ...{ blockHash: null, blockNumber: null },
};
const refused = (read: () => unknown, why: RegExp) => {
  expect(read).toThrow(MalformedAnswer);
  expect(read).toThrow(why);
};

it('a block is read, also one from before EIP-1559', () => {
  expect(blockFrom(block)).toEqual({
    number: 7,
    hash: BLOCK_HASH,
    parentHash: hashOf('6'),
    timestamp: 101,
    baseFeePerGas: 0n,
  });
  expect(blockFrom({ ...block, baseFeePerGas: undefined }).baseFeePerGas).toBeUndefined();
});

it('a transaction that waits and creates a contract is in no block and goes to no address', () =>
  expect(transactionFrom(transaction, HASH)).toEqual({
    ...{ hash: HASH, from: addressOf('d'), to: undefined, nonce: 0, value: 10n ** 18n, input: '0x6001' },
    ...{ blockHash: undefined, blockNumber: undefined },
  }));

it("a receipt's logs are counted from 0 within their transaction, whatever their places in the block", () =>
  expect(receiptFrom(receipt, HASH).logs.map(({ logIndex, ordinal }) => [logIndex, ordinal])).toEqual([
    [3, 0],
    [5, 1],
  ]));

it('a fee history is read as it was asked for', () => {
  const history = { oldestBlock: '0x1', baseFeePerGas: ['0x7', '0x8'], reward: [['0x1']] };
  expect(feeHistoryFrom(history, 1)).toEqual({ oldestBlock: 1, baseFeePerGas: [7n, 8n], reward: [[1n]] });
  refused(() => feeHistoryFrom(history, 2), /has not what was asked for/);
  refused(() => feeHistoryFrom({ ...history, baseFeePerGas: [] }, 1), /has not what was asked for/);
});

it.each<[string, object, RegExp]>([
  ['a number that is no hex', { number: '7' }, /number is not a quantity in hex/],
  ['a number with leading zeros', { number: '0x07' }, /number is not a quantity/],
  ['a number beyond what can be counted', { number: `0x${'f'.repeat(16)}` }, /number is not a number that can be/],
  ['a number of JSON', { number: 7 }, /number is not a quantity/],
  ['a short hash', { hash: '0xb' }, /hash is not 32 bytes in hex/],
  ['no parent', { parentHash: undefined }, /parentHash is not 32 bytes/],
])('a block with %s is refused', (_, changed, why) => refused(() => blockFrom({ ...block, ...changed }), why));

it.each<[string, unknown, RegExp]>([
  ['no list', {}, /the logs is not a list/],
  ['one of a replaced block', [{ ...log, removed: true }], /one that was removed/],
  ['places that do not ascend', [log, log], /not in their order/],
  ['blocks that do not ascend', [log, { ...log, blockNumber: '0x6' }], /not in their order/],
  ['two blocks of one height', [log, { ...log, blockHash: HASH, logIndex: '0x4' }], /not in their order/],
  ['five topics', [{ ...log, topics: Array.from({ length: 5 }, () => hashOf('1')) }], /too many topics/],
  ['half a byte', [{ ...log, data: '0x1' }], /data is not hex/],
])('logs with %s are refused', (_, answer, why) => refused(() => logsFrom(answer), why));

it('logs are in the case of the protocol, and only those that were asked for', () => {
  const upper = { ...log, address: log.address.toUpperCase().replace('0X', '0x') };
  expect(logsFrom([upper], { addresses: [addressOf('c')] })[0]?.address).toBe(addressOf('c'));
  const none = /none of those that were asked for/;
  refused(() => logsFrom([log], { addresses: [addressOf('d')] }), none);
  refused(() => logsFrom([log], { topics: [hashOf('2')] }), none);
  refused(() => logsFrom([log], { topics: [null, [hashOf('2'), hashOf('3')]] }), none);
  expect(logsFrom([log], { topics: [[hashOf('2'), hashOf('1')]] })).toHaveLength(1);
  expect(logsFrom([log], { topics: [null] })).toHaveLength(1);
});

it.each<[string, object, RegExp]>([
  ['of another transaction', { transactionHash: BLOCK_HASH }, /transactionHash is not .*, which was asked for/],
  ['with a third status', { status: '0x2' }, /neither 0 nor 1/],
  ['without a status', { status: undefined }, /status|quantity/],
  ['with a log of another transaction', { logs: [{ ...log, transactionHash: BLOCK_HASH }] }, /log's transactionHash/],
  ['with a log of another block', { logs: [{ ...log, blockHash: HASH }] }, /log's blockHash/],
])('a receipt %s is refused', (_, changed, why) => refused(() => receiptFrom({ ...receipt, ...changed }, HASH), why));
