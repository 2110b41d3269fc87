// Blocks, logs, transactions and receipts as nodes describe them.

import type { Hash, Hex } from 'viem';
import { address, count, hash, hex, list, MalformedAnswer, object, quantity, same } from './answer-readers';
import type { Block, FeeHistory, Log, LogFilter, Receipt, TransactionOnChain } from './chain-node';

/** EVM logs have no more. */
const TOPICS_MAX = 4;

export function blockFrom(answer: unknown): Block {
  const block = object(answer, 'the block');
  return {
    number: count(block['number'], "the block's number"),
    hash: hash(block['hash'], "the block's hash"),
    parentHash: hash(block['parentHash'], "the block's parentHash"),
    timestamp: count(block['timestamp'], "the block's timestamp"),
    baseFeePerGas:
      block['baseFeePerGas'] === undefined ? undefined : quantity(block['baseFeePerGas'], "the block's baseFeePerGas"),
  };
}

/** In the order of their blocks, and only what the filter asks for: anything else is refused. */
export function logsFrom(answer: unknown, filter: LogFilter = {}): Log[] {
  const logs = list(answer, 'the logs').map(logFrom);
  for (const [index, log] of logs.entries()) {
    const before = logs[index - 1];
    if (before !== undefined && !isAfter(log, before)) throw new MalformedAnswer('the logs are not in their order');
    if (!isAskedFor(log, filter)) throw new MalformedAnswer('a log is none of those that were asked for');
  }
  return logs;
}

function isAfter(log: Log, before: Log): boolean {
  if (log.blockNumber !== before.blockNumber) return log.blockNumber > before.blockNumber;
  return log.blockHash === before.blockHash && log.logIndex > before.logIndex;
}

function isAskedFor(log: Log, { addresses, topics = [] }: LogFilter): boolean {
  const isOneOf = (value: Hex | undefined, wanted: Hex | readonly Hex[]) =>
    [wanted].flat().some((one) => one.toLowerCase() === value);
  return (
    (addresses === undefined || isOneOf(log.address, addresses)) &&
    topics.every((wanted, place) => wanted === null || isOneOf(log.topics[place], wanted))
  );
}

function logFrom(answer: unknown): Log {
  const log = object(answer, 'the log');
  if (log['removed'] === true) throw new MalformedAnswer('the log is one that was removed');
  const topics = list(log['topics'], "the log's topics").map((topic) => hash(topic, "the log's topic"));
  if (topics.length > TOPICS_MAX) throw new MalformedAnswer('the log has too many topics');
  return {
    address: address(log['address'], "the log's address"),
    topics,
    data: hex(log['data'], "the log's data"),
    blockHash: hash(log['blockHash'], "the log's blockHash"),
    blockNumber: count(log['blockNumber'], "the log's blockNumber"),
    transactionHash: hash(log['transactionHash'], "the log's transactionHash"),
    logIndex: count(log['logIndex'], "the log's logIndex"),
  };
}

export function transactionFrom(answer: unknown, asked: Hash): TransactionOnChain {
  const transaction = object(answer, 'the transaction');
  const { to, blockHash, blockNumber } = transaction;
  return {
    hash: same(hash(transaction['hash'], "the transaction's hash"), asked, "the transaction's hash"),
    from: address(transaction['from'], "the transaction's from"),
    to: isAbsent(to) ? undefined : address(to, "the transaction's to"),
    nonce: count(transaction['nonce'], "the transaction's nonce"),
    value: quantity(transaction['value'], "the transaction's value"),
    input: hex(transaction['input'], "the transaction's input"),
    blockHash: isAbsent(blockHash) ? undefined : hash(blockHash, "the transaction's blockHash"),
    blockNumber: isAbsent(blockNumber) ? undefined : count(blockNumber, "the transaction's blockNumber"),
  };
}

const isAbsent = (value: unknown) => value === undefined || value === null;

export function receiptFrom(answer: unknown, asked: Hash): Receipt {
  const receipt = object(answer, 'the receipt');
  const blockHash = hash(receipt['blockHash'], "the receipt's blockHash");
  const transactionHash = hash(receipt['transactionHash'], "the receipt's transactionHash");
  const status = quantity(receipt['status'], "the receipt's status");
  if (status > 1n) throw new MalformedAnswer("the receipt's status is neither 0 nor 1");
  const logs = logsFrom(receipt['logs']);
  for (const log of logs) {
    same(log.transactionHash, asked, "the log's transactionHash");
    same(log.blockHash, blockHash, "the log's blockHash");
  }
  return {
    transactionHash: same(transactionHash, asked, "the receipt's transactionHash"),
    blockHash,
    blockNumber: count(receipt['blockNumber'], "the receipt's blockNumber"),
    succeeded: status === 1n,
    gasUsed: quantity(receipt['gasUsed'], "the receipt's gasUsed"),
    effectiveGasPrice: quantity(receipt['effectiveGasPrice'], "the receipt's effectiveGasPrice"),
    logs: logs.map((log, ordinal) => ({ ...log, ordinal })),
  };
}

/** @param percentiles how many were asked for */
export function feeHistoryFrom(answer: unknown, percentiles: number): FeeHistory {
  const history = object(answer, 'the fee history');
  const quantities = (value: unknown, name: string) => list(value, name).map((one) => quantity(one, name));
  const baseFeePerGas = quantities(history['baseFeePerGas'], 'baseFeePerGas');
  const reward = percentiles === 0 ? [] : list(history['reward'], 'reward').map((one) => quantities(one, 'reward'));
  if (baseFeePerGas.length === 0 || reward.some(({ length }) => length !== percentiles))
    throw new MalformedAnswer('the fee history has not what was asked for');
  return { oldestBlock: count(history['oldestBlock'], 'oldestBlock'), baseFeePerGas, reward };
}
