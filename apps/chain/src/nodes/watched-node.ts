import { ChainNode } from '@stablecoin/chain-node/chain-node';
import { JsonRpcNode } from '@stablecoin/chain-node/json-rpc-node';

/** Of each question. Each is one attempt: the walk decides when to ask again, and whom. */
const TIMEOUT_MS = 5_000;

/** What the watcher asks of a node. */
export type WatchedNode = Pick<
  ChainNode,
  'name' | 'chainId' | 'blockByNumber' | 'blockByHash' | 'logsOfBlock' | 'logsInRange' | 'tokenFacts'
>;

/** What the sender and the treasury ask of it besides. */
export type SendingNode = WatchedNode &
  Pick<
    ChainNode,
    | 'balanceOf'
    | 'coinsOf'
    | 'call'
    | 'transactionByHash'
    | 'receipt'
    | 'nonceOf'
    | 'feeHistory'
    | 'estimateGas'
    | 'broadcast'
  >;

export const nodeAt = (url: string): SendingNode => new JsonRpcNode({ url, timeoutMs: TIMEOUT_MS });
