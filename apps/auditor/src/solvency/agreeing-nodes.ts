/**
 * The nodes of a network, asked as one: each answer counts only where all of them give it. A node that is busy is asked
 * again a few times; whatever else goes wrong ends the audit, because nothing was found by it.
 */
import {
  Agreement,
  agreedBalance,
  agreedBlock,
  agreedLogs,
  agreedReceipt,
  agreedTokenFacts,
  askEach,
  Statement,
} from '@stablecoin/chain-node/agreement';
import { Block, ChainNode, Hash, Hex, Log, LogFilter, Receipt } from '@stablecoin/chain-node/chain-node';
import { JsonRpcNode } from '@stablecoin/chain-node/json-rpc-node';
import { isNodeFailure, NodeFailure } from '@stablecoin/chain-node/node-failure';
import { requireChain } from '@stablecoin/chain-node/required-chain';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TOKENS } from '@stablecoin/chains/tokens';
import { AuditFailure } from '../report/report';

/** A question about many blocks takes a node its time. */
const TIMEOUT_MS = 30_000;
const ATTEMPTS_MAX = 5;
const FIRST_PAUSE_MS = 100;
const PAUSE_MS_MAX = 10_000;

/** More than the nodes answer about at once: fewer blocks have to be asked for. */
export class TooMuch extends Error {}

export class AgreeingNodes {
  private readonly nodes: readonly ChainNode[];

  constructor(
    readonly network: EvmNetwork,
    urls: readonly string[],
  ) {
    this.nodes = urls.map((url) => new JsonRpcNode({ url, timeoutMs: TIMEOUT_MS }));
  }

  get names(): string[] {
    return this.nodes.map(({ name }) => name);
  }

  /** Each of them is of the network's chain, and all have the same contracts as the listed tokens. */
  async requireRight(): Promise<void> {
    for (const node of this.nodes) await this.answered(() => patiently(() => requireChain(node, this.network)));
    for (const { network, currency, address } of TOKENS) {
      if (network !== this.network) continue;
      const about = `${currency} at ${address}`;
      await this.one(about, (node) => node.tokenFacts(address), agreedTokenFacts.bind(undefined, about));
    }
  }

  /** The highest block that each of them names as final; undefined where one names none. */
  async finalHeight(): Promise<number | undefined> {
    const blocks = await this.answered(() =>
      Promise.all(
        this.nodes.map((node) =>
          patiently(() => node.blockByNumber('finalized')).catch((error: unknown) => {
            if (isNodeFailure(error, 'tag-unsupported')) return undefined;
            throw error;
          }),
        ),
      ),
    );
    const heights = blocks.flatMap((block) => (block === undefined ? [] : [block.number]));
    return heights.length < this.nodes.length ? undefined : Math.min(...heights);
  }

  async blockAt(height: number): Promise<Block> {
    const about = `block ${height}`;
    const block = await this.one(about, (node) => node.blockByNumber(height), agreedBlock.bind(undefined, about));
    return block ?? this.refuse(`no node has ${about}`);
  }

  async balanceOf(token: Hex, account: Hex, blockHash: Hash): Promise<bigint> {
    const about = `the balance of ${account}`;
    const ask = (node: ChainNode) => node.balanceOf(token, account, blockHash);
    return (
      (await this.one(about, ask, agreedBalance.bind(undefined, about))) ?? this.refuse(`no node has ${blockHash}`)
    );
  }

  /** @throws TooMuch */
  async logsInRange(range: { from: number; to: number }, filter: LogFilter): Promise<readonly Log[]> {
    const about = `blocks ${range.from} to ${range.to}`;
    const ask = (node: ChainNode) =>
      node.logsInRange(range, filter).catch((error: unknown) => {
        const isTooMuch =
          isNodeFailure(error, 'too-much') || (isNodeFailure(error, 'timeout') && range.from < range.to);
        throw isTooMuch ? new TooMuch(error.message) : error;
      });
    return (await this.one(about, ask, agreedLogs.bind(undefined, about))) ?? this.refuse(`no node has ${about}`);
  }

  /** Undefined for a transaction that is in no block. */
  receipt(hash: Hash): Promise<Receipt | undefined> {
    return this.one(
      `the receipt of ${hash}`,
      (node) => node.receipt(hash),
      (statements) => agreedReceipt(hash, statements),
    );
  }

  private async one<Value>(
    about: string,
    ask: (node: ChainNode) => Promise<Value | undefined>,
    agree: (statements: readonly Statement<Value>[]) => Agreement<Value>,
  ): Promise<Value | undefined> {
    const statements = await this.answered(() => askEach(this.nodes, (node) => patiently(() => ask(node))));
    const failure = statements.find((statement) => statement.failure)?.failure;
    if (failure) throw this.unanswered(failure);
    const agreement = agree(statements);
    switch (agreement.state) {
      case 'agreed':
        return agreement.value;
      case 'absent':
        return undefined;
      case 'incomplete':
        return this.refuse(`${agreement.missingOn.join(', ')} does not have ${about}`);
      case 'disagreed':
        return this.refuse(agreement.reason);
    }
  }

  private async answered<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      throw isNodeFailure(error) ? this.unanswered(error) : error;
    }
  }

  private unanswered(failure: NodeFailure): AuditFailure {
    const hint = HINTS[failure.kind];
    return new AuditFailure(`${this.network}: ${failure.message}${hint ? `: ${hint}` : ''}`);
  }

  private refuse(reason: string): never {
    throw new AuditFailure(`${this.network}: ${reason}. Nothing was compared: try again, or name other nodes.`);
  }
}

const HINTS: Partial<Record<NodeFailure['kind'], string>> = {
  'state-gone': 'the watcher is far behind, or the audit took long; an archive node has it',
};

/** A node that has had enough of us, or that can't be reached for a moment, is asked again. */
async function patiently<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS_MAX || !isNodeFailure(error, 'throttled', 'unreachable', 'internal')) throw error;
      const pauseMs = Math.min(error.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt, PAUSE_MS_MAX);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}
