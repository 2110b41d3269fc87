// The port over JSON-RPC.

import { ERC20 } from '@stablecoin/chains/erc20';
import { encodeFunctionData, keccak256, toHex } from 'viem/utils';
import { count, hash, hex, quantity, same, word, MalformedAnswer } from './answer-readers';
import { blockFrom, feeHistoryFrom, logsFrom, receiptFrom, transactionFrom } from './answers';
import type {
  Address,
  Asking,
  Block,
  BlockPlace,
  BlockRange,
  BlockTag,
  Call,
  ChainNode,
  FeeHistory,
  Hash,
  Hex,
  Log,
  LogFilter,
  Receipt,
  TokenFacts,
  TransactionOnChain,
} from './chain-node';
import { JsonRpc } from './json-rpc';

const DECIMALS_MAX = 36n;

interface JsonRpcNodeOptions {
  /** http: or https:, with a user and password, or a key in its path, if it has them. */
  url: string;
  /** Of each call, 10 s by default. */
  timeoutMs?: number;
}

export class JsonRpcNode implements ChainNode {
  private readonly rpc: JsonRpc;

  constructor({ url, timeoutMs }: JsonRpcNodeOptions) {
    this.rpc = new JsonRpc(url, timeoutMs);
  }

  get name(): string {
    return this.rpc.name;
  }

  chainId(asking?: Asking): Promise<number> {
    return this.rpc.ask('eth_chainId', [], (answer) => count(answer, 'the chain id'), asking);
  }

  blockByHash(asked: Hash, asking?: Asking): Promise<Block | undefined> {
    const read = (answer: unknown) => {
      const block = blockFrom(answer);
      same(block.hash, lower(asked), "the block's hash");
      return block;
    };
    return this.find('eth_getBlockByHash', [asked, false], read, asking);
  }

  async blockByNumber(place: BlockTag | number, asking?: Asking): Promise<Block | undefined> {
    const read = (answer: unknown) => {
      const block = blockFrom(answer);
      if (typeof place === 'number') same(block.number, place, "the block's number");
      return block;
    };
    const method = 'eth_getBlockByNumber';
    const block = await this.find(method, [placed(place), false], read, asking);
    if (block !== undefined || typeof place === 'number') return block;
    if (place === 'latest') throw this.rpc.failure('malformed-answer', method, 'it has no latest block');
    throw this.rpc.failure('tag-unsupported', method, `it has no ${place} block`);
  }

  logsOfBlock(asked: Hash, filter: LogFilter = {}, asking?: Asking): Promise<readonly Log[]> {
    const read = (answer: unknown) => {
      const logs = logsFrom(answer, filter);
      for (const { blockHash } of logs) same(blockHash, lower(asked), "the log's blockHash");
      return logs;
    };
    return this.rpc.ask('eth_getLogs', [{ blockHash: asked, ...filterAsSent(filter) }], read, asking);
  }

  logsInRange({ from, to }: BlockRange, filter: LogFilter = {}, asking?: Asking): Promise<readonly Log[]> {
    const read = (answer: unknown) => {
      const logs = logsFrom(answer, filter);
      if (logs.some(({ blockNumber }) => blockNumber < from || blockNumber > to))
        throw new MalformedAnswer('a log is of none of the blocks that were asked about');
      return logs;
    };
    const range = { fromBlock: toHex(from), toBlock: toHex(to) };
    return this.rpc.ask('eth_getLogs', [{ ...range, ...filterAsSent(filter) }], read, asking);
  }

  async balanceOf(token: Address, account: Address, blockHash: Hash, asking?: Asking): Promise<bigint> {
    const data = encodeFunctionData({ abi: ERC20, functionName: 'balanceOf', args: [account] });
    return this.askContract({ to: token, data }, { blockHash }, (answer) => word(answer, 'the balance'), asking);
  }

  coinsOf(account: Address, place: BlockPlace, asking?: Asking): Promise<bigint> {
    return this.rpc.ask(
      'eth_getBalance',
      [account, placed(place)],
      (answer) => quantity(answer, 'the balance'),
      asking,
    );
  }

  call(call: Call, place: BlockPlace, asking?: Asking): Promise<Hex> {
    return this.askContract(call, place, (answer) => hex(answer, 'the result'), asking);
  }

  transactionByHash(asked: Hash, asking?: Asking): Promise<TransactionOnChain | undefined> {
    return this.find('eth_getTransactionByHash', [asked], (answer) => transactionFrom(answer, lower(asked)), asking);
  }

  receipt(asked: Hash, asking?: Asking): Promise<Receipt | undefined> {
    return this.find('eth_getTransactionReceipt', [asked], (answer) => receiptFrom(answer, lower(asked)), asking);
  }

  nonceOf(account: Address, of: BlockPlace | 'pending', asking?: Asking): Promise<number> {
    const place = of === 'pending' ? of : placed(of);
    return this.rpc.ask('eth_getTransactionCount', [account, place], (answer) => count(answer, 'the nonce'), asking);
  }

  feeHistory(blocks: number, percentiles: readonly number[], asking?: Asking): Promise<FeeHistory> {
    const read = (answer: unknown) => feeHistoryFrom(answer, percentiles.length);
    return this.rpc.ask('eth_feeHistory', [toHex(blocks), 'latest', percentiles], read, asking);
  }

  estimateGas(call: Call, asking?: Asking): Promise<bigint> {
    return this.rpc.ask('eth_estimateGas', [callAsSent(call)], (answer) => quantity(answer, 'the gas'), asking);
  }

  broadcast(raw: Hex, asking?: Asking): Promise<'accepted' | 'already-known'> {
    const read = (answer: unknown) => {
      same(hash(answer, "the transaction's hash"), keccak256(raw), "the transaction's hash");
      return 'accepted' as const;
    };
    return this.rpc.ask<'accepted' | 'already-known'>('eth_sendRawTransaction', [raw], read, asking, ({ kind }) =>
      kind === 'already-known' ? kind : undefined,
    );
  }

  codeAt(address: Address, asking?: Asking): Promise<Hex> {
    return this.rpc.ask('eth_getCode', [address, 'latest'], (answer) => hex(answer, 'the code'), asking);
  }

  async tokenFacts(token: Address, asking?: Asking): Promise<TokenFacts | undefined> {
    const code = await this.codeAt(token, asking);
    if (code === '0x') return undefined;
    return { decimals: await this.decimalsOf(token, asking), codeHash: keccak256(code) };
  }

  /** Undefined where the contract does not know the question: it fails, or has nothing to say. */
  private decimalsOf(token: Address, asking?: Asking): Promise<number | undefined> {
    const data = encodeFunctionData({ abi: ERC20, functionName: 'decimals' });
    const read = (answer: unknown) => {
      if (answer === '0x') return {};
      const decimals = word(answer, 'decimals');
      return decimals > DECIMALS_MAX ? {} : { decimals: Number(decimals) };
    };
    return this.rpc
      .ask<{ decimals?: number }>('eth_call', [{ to: token, data }, 'latest'], read, asking, ({ kind }) =>
        kind === 'reverted' ? {} : undefined,
      )
      .then(({ decimals }) => decimals);
  }

  private askContract<Value>(call: Call, place: BlockPlace, read: (answer: unknown) => Value, asking?: Asking) {
    return this.rpc.ask('eth_call', [callAsSent(call), placed(place)], read, asking);
  }

  /** Undefined where the node answers null, or says that it doesn't know the block. */
  private async find<Value>(
    method: string,
    params: readonly unknown[],
    read: (answer: unknown) => Value,
    asking?: Asking,
  ): Promise<Value | undefined> {
    const found = await this.rpc.ask<{ value?: Value }>(
      method,
      params,
      (answer) => (answer === null ? {} : { value: read(answer) }),
      asking,
      ({ kind }) => (kind === 'unknown-block' ? {} : undefined),
    );
    return found.value;
  }
}

const lower = <Text extends Hex>(text: Text) => text.toLowerCase() as Text;

const filterAsSent = ({ addresses, topics }: LogFilter) => ({
  ...(addresses !== undefined && { address: addresses }),
  ...(topics !== undefined && { topics }),
});

const callAsSent = ({ value, ...call }: Call) => (value === undefined ? call : { ...call, value: toHex(value) });

/** EIP-1898: a block that is no longer of the chain is refused, not answered about. */
function placed(place: BlockPlace): string | object {
  if (typeof place === 'number') return toHex(place);
  return typeof place === 'string' ? place : { ...place, requireCanonical: true };
}
