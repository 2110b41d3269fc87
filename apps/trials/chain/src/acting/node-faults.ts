/** What a faulty node does, as rules of the proxy before it. */
import { topicOf, TRANSFER_TOPIC } from '@stablecoin/chains/erc20';
import type { FaultRule } from '@stablecoin/testing/node-fault-proxy';
import { type Hex, keccak256, toHex } from 'viem';
import type { NodeFaultName } from '../schedule/schedule';

const SLOW_MS = 300;
const BLOCK_BY_NUMBER = 'eth_getBlockByNumber';

/** A transfer that never was, for a node to tell of. */
export interface MadeUp {
  token: Hex;
  to: Hex;
  units: bigint;
  /** Of a block that the chain has. */
  heightOf(blockHash: Hex): Promise<Hex>;
}

/** The rule of a fault that is one; `lags` and `loses the latest transactions` are states of the proxy. */
export function ruleOf(fault: NodeFaultName, ofTen: number, madeUp: MadeUp): FaultRule | undefined {
  switch (fault) {
    case 'throttled':
      return { ofTen, fault: { kind: 'throttled' } };
    case 'fails':
      return { ofTen, fault: { kind: 'error', code: -32603, message: 'Internal error' } };
    case 'silent':
      // Each question waits for its own deadline: one kind of them is enough.
      return { ofTen, methods: ['eth_getLogs', 'eth_sendRawTransaction'], fault: { kind: 'silent' } };
    case 'cut before':
      return { ofTen, fault: { kind: 'cut-before' } };
    case 'cut after':
      return { ofTen, fault: { kind: 'cut-after' } };
    case 'slow':
      return { ofTen, fault: { kind: 'slow', ms: SLOW_MS } };
    case 'forgets transactions':
      return { ofTen, methods: ['eth_sendRawTransaction'], fault: { kind: 'forgets' } };
    case 'leaves out transfers':
      return { ofTen, methods: ['eth_getLogs'], fault: { kind: 'lies', about: () => [] } };
    case 'makes transfers up':
      return {
        methods: ['eth_getLogs'],
        fault: { kind: 'lies', about: (logs, params) => withMadeUp(logs, params, madeUp) },
      };
    case 'has other blocks':
      return { ofTen, methods: [BLOCK_BY_NUMBER], where: isByHeight, fault: { kind: 'lies', about: withOtherHash } };
    case 'has no receipts':
      return { ofTen, methods: ['eth_getTransactionReceipt'], fault: { kind: 'lies', about: () => null } };
    case 'has other receipts':
      return { ofTen, methods: ['eth_getTransactionReceipt'], fault: { kind: 'lies', about: asReverted } };
    case 'counts more transactions':
      return { methods: ['eth_getTransactionCount'], fault: { kind: 'lies', about: oneMore } };
    case 'lags':
    case 'loses the latest transactions':
      return undefined;
  }
}

const isByHeight = ([place]: readonly unknown[]): boolean => Number(place) >= 0;
const withOtherHash = (block: unknown): unknown => block && { ...block, hash: `0x${'ee'.repeat(32)}` };
const asReverted = (receipt: unknown): unknown => receipt && { ...receipt, status: '0x0', logs: [] };
const oneMore = (count: unknown): string => toHex(Number(count) + 1);

/** By their hashes one block in four has it, in each look at it. */
const hasOne = (blockHash: Hex): boolean => BigInt(blockHash) % 4n === 0n;

async function withMadeUp(logs: unknown, params: readonly unknown[], madeUp: MadeUp): Promise<unknown> {
  const [{ blockHash }] = params as [{ blockHash?: Hex }];
  if (!Array.isArray(logs) || blockHash === undefined || !hasOne(blockHash)) return logs;
  const { token, to, units } = madeUp;
  const blockNumber = await madeUp.heightOf(blockHash);
  return [
    ...(logs as unknown[]),
    {
      ...{ address: token, data: toHex(units, { size: 32 }), blockHash, blockNumber },
      ...{ topics: [TRANSFER_TOPIC, toHex(0, { size: 32 }), topicOf(to)], logIndex: toHex(500) },
      ...{ transactionHash: keccak256(blockHash), transactionIndex: '0x0', removed: false },
    },
  ];
}
