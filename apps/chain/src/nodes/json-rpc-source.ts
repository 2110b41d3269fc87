import { createPublicClient, http, HttpRequestError, parseAbi, RpcRequestError, TimeoutError } from 'viem';
import { encodeEventTopics, keccak256 } from 'viem/utils';
import { Block, ChainSource, Hex, NodeFailure, NodeFailureKind, TransferLog } from './chain-source';

const TIMEOUT_MS = 5_000;
const EVENTS = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);
const FUNCTIONS = parseAbi(['function decimals() view returns (uint8)']);
const [TRANSFER] = encodeEventTopics({ abi: EVENTS, eventName: 'Transfer' });

/** The fields that are read of what a node answers; numbers are hexadecimal texts. */
interface RpcBlock {
  number: Hex;
  hash: Hex;
  parentHash: Hex;
  timestamp: Hex;
}
interface RpcLog {
  address: Hex;
  topics: Hex[];
  data: Hex;
  transactionHash: Hex;
  logIndex: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  removed?: boolean;
}

/** A node by its JSON-RPC over HTTP. Each request is one attempt: the walk decides when to ask again, and whom. */
export class JsonRpcSource implements ChainSource {
  readonly name: string;
  private readonly client;

  constructor(url: string) {
    this.name = new URL(url).host;
    this.client = createPublicClient({ transport: http(url, { retryCount: 0, timeout: TIMEOUT_MS }) });
  }

  async chainId(): Promise<number> {
    return Number(await this.ask<Hex>('eth_chainId', []));
  }

  async block(at: number | 'latest' | 'finalized'): Promise<Block | undefined> {
    return blockOf(await this.ask<RpcBlock | null>('eth_getBlockByNumber', [hexOf(at), false]));
  }

  async blockByHash(hash: Hex): Promise<Block | undefined> {
    return blockOf(await this.ask<RpcBlock | null>('eth_getBlockByHash', [hash, false]));
  }

  async transfersIn(blockHash: Hex): Promise<TransferLog[]> {
    return this.logs({ blockHash, topics: [TRANSFER] });
  }

  async transfersTo(addresses: readonly Hex[], from: number, to: number): Promise<TransferLog[]> {
    const recipients = addresses.map((address) => `0x${address.slice(2).padStart(64, '0')}`);
    return this.logs({ fromBlock: hexOf(from), toBlock: hexOf(to), topics: [TRANSFER, null, recipients] });
  }

  async decimalsOf(token: Hex): Promise<number | undefined> {
    try {
      return await this.client.readContract({ address: token, abi: FUNCTIONS, functionName: 'decimals' });
    } catch (error) {
      if (isWithin(error, HttpRequestError) || isWithin(error, TimeoutError)) throw this.failure(error);
      return undefined;
    }
  }

  async codeHashOf(token: Hex): Promise<Hex> {
    return keccak256(await this.ask<Hex>('eth_getCode', [token, 'latest']));
  }

  private async logs(filter: object): Promise<TransferLog[]> {
    const logs = await this.ask<RpcLog[]>('eth_getLogs', [filter]);
    return logs.filter(isTransfer).map(transferOf);
  }

  private async ask<Answer>(method: string, params: unknown[]): Promise<Answer> {
    try {
      return await this.client.request({ method, params } as never);
    } catch (error) {
      throw this.failure(error);
    }
  }

  private failure(error: unknown): NodeFailure {
    return new NodeFailure(kindOf(error), this.name, (error as Error).message.split('\n')[0] ?? '');
  }
}

const UNKNOWN_BLOCK = /unknown block|block not found|header not found|not found/i;
const THROTTLED = /rate limit|too many requests|limit exceeded|throttl/i;

function kindOf(error: unknown): NodeFailureKind {
  const text = error instanceof Error ? error.message : String(error);
  if (isWithin(error, TimeoutError)) return 'timeout';
  const http = within(error, HttpRequestError);
  if (http?.status === 429 || THROTTLED.test(text)) return 'throttled';
  if (http) return 'unreachable';
  const details = within(error, RpcRequestError)?.details ?? text;
  return UNKNOWN_BLOCK.test(details) ? 'unknown_block' : 'refused';
}

/** viem wraps one error in another. */
function within<Kind extends Error>(error: unknown, kind: abstract new (...args: never[]) => Kind): Kind | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) if (inner instanceof kind) return inner;
  return undefined;
}
const isWithin = (error: unknown, kind: abstract new (...args: never[]) => Error): boolean =>
  within(error, kind) !== undefined;

const hexOf = (at: number | string): string => (typeof at === 'number' ? `0x${at.toString(16)}` : at);
const lower = (hex: Hex): Hex => hex.toLowerCase() as Hex;
const addressIn = (topic: Hex | undefined): Hex => `0x${(topic ?? '').slice(-40).toLowerCase()}`;

const blockOf = (block: RpcBlock | null): Block | undefined =>
  block === null
    ? undefined
    : {
        number: Number(block.number),
        hash: lower(block.hash),
        parentHash: lower(block.parentHash),
        timestamp: Number(block.timestamp),
      };

/** Other events have the same signature and index another number of fields. */
const isTransfer = ({ topics, data, removed }: RpcLog): boolean =>
  topics.length === 3 && data.length === 66 && removed !== true;

const transferOf = (log: RpcLog): TransferLog => ({
  token: lower(log.address),
  transactionHash: lower(log.transactionHash),
  logIndex: Number(log.logIndex),
  from: addressIn(log.topics[1]),
  to: addressIn(log.topics[2]),
  units: BigInt(log.data),
  blockNumber: Number(log.blockNumber),
  blockHash: lower(log.blockHash),
});
