import { TRANSFER_TOPIC } from '@stablecoin/chains/erc20';
import { ChainRecord, type SeenBlock, type SeenTransfer, transfersByBlock } from './chain-record';

const TRANSFER: SeenTransfer = { transactionHash: '0x1', token: '0xt', from: '0xa', to: '0xb', units: 5n };
const block = (number: number, hash: string, ...transfers: SeenTransfer[]): SeenBlock => ({
  ...{ number, hash: `0x${hash}`, transfers },
});

let record: ChainRecord;
beforeEach(() => {
  record = new ChainRecord();
  record.take({ blocks: [block(9, '9'), block(10, '10', TRANSFER)], final: 8 });
});

it('has what is in the newest blocks, and knows what is final', () => {
  expect(record.transfers()).toEqual([{ ...TRANSFER, blockNumber: 10 }]);
  expect([record.height, record.headHash, record.final]).toEqual([10, '0x10', 8]);
  expect([record.wasFinal(TRANSFER), record.wasGone(TRANSFER)]).toEqual([false, false]);
  record.take({ blocks: [block(11, '11')], final: 10 });
  expect([record.wasFinal(TRANSFER), record.wasGone(TRANSFER)]).toEqual([true, false]);
});

it('does not call gone what comes again before its height is final', () => {
  record.take({ blocks: [block(10, '10b')], final: 9 });
  expect(record.transfers()).toEqual([]);
  record.take({ blocks: [block(11, '11', TRANSFER)], final: 9 });
  record.take({ blocks: [block(12, '12')], final: 12 });
  expect([record.wasFinal(TRANSFER), record.wasGone(TRANSFER)]).toEqual([true, false]);
});

it('calls gone what is missing when its height is final, also if it comes again', () => {
  record.take({ blocks: [block(10, '10b'), block(11, '11')], final: 10 });
  expect([record.wasFinal(TRANSFER), record.wasGone(TRANSFER)]).toEqual([false, true]);
  record.take({ blocks: [block(12, '12', TRANSFER)], final: 10 });
  expect(record.wasGone(TRANSFER)).toBe(true);
});

it('knows what was final and was replaced nevertheless', () => {
  record.take({ blocks: [block(11, '11')], final: 10 });
  record.take({ blocks: [block(10, '10b'), block(11, '11b')], final: 10 });
  expect([record.wasFinal(TRANSFER), record.wasGone(TRANSFER)]).toEqual([true, true]);
  expect(record.everSeen()).toEqual([TRANSFER]);
});

it('begins anew without what it had seen', () => {
  record.take({ blocks: [block(11, '11')], final: 10 });
  record.forget();
  record.take({ blocks: [block(10, '10', TRANSFER), block(11, '11')], final: 10 });
  expect([record.transfers(), record.everSeen(), record.height]).toEqual([[], [], 11]);
});

it('refuses a look that leaves blocks out', () => {
  expect(() => record.take({ blocks: [block(13, '13')], final: 8 })).toThrow('blocks after 10 were not looked at');
});

it('reads the logs of a range by their blocks, and passes over what is no transfer of a token', () => {
  const topics = [
    TRANSFER_TOPIC,
    `0x${'0'.repeat(24)}${'a1'.repeat(20)}`,
    `0x${'0'.repeat(24)}${'b2'.repeat(20)}`,
  ] as const;
  const log = { address: '0xAB', data: `0x${'0'.repeat(63)}7`, transactionHash: '0x1', blockNumber: '0xa' } as const;
  const read = transfersByBlock([
    { ...log, topics },
    { ...log, topics: [...topics, topics[1]] },
  ]);
  const transfer = { transactionHash: '0x1', token: '0xab', from: `0x${'a1'.repeat(20)}`, to: `0x${'b2'.repeat(20)}` };
  expect(read).toEqual(new Map([[10, [{ ...transfer, units: 7n }]]]));
});
