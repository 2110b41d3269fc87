/** What our addresses hold at one block, and what came into and left hot and cold up to it, as the nodes have it. */
import { Block, Hex, Log, LogFilter } from '@stablecoin/chain-node/chain-node';
import { topicOf, TRANSFER_TOPIC, transferOf } from '@stablecoin/chains/erc20';
import { Token } from '@stablecoin/chains/tokens';
import { AgreeingNodes, TooMuch } from './agreeing-nodes';
import { Amount, ofUnits } from './amounts';
import { inTurns } from './in-turns';
import { TreasuryTransfer } from './reconcile';

const BALANCES_AT_ONCE = 16;
const RANGES_AT_ONCE = 4;

export type OnProgress = (done: number) => void;

/** By address in lower case. */
export async function balancesAt(
  nodes: AgreeingNodes,
  token: Token,
  addresses: readonly Hex[],
  block: Block,
  onProgress: OnProgress,
): Promise<Map<Hex, Amount>> {
  const balances = await inTurns(addresses, BALANCES_AT_ONCE, async (address) => {
    const units = await nodes.balanceOf(token.address, address, block.hash);
    onProgress(1);
    return [address, ofUnits(token, units)] as const;
  });
  return new Map(balances);
}

/**
 * Every transfer of these tokens into and out of the treasury's addresses. It asks about all blocks at once, and where that is
 * more than a node answers about, about as many as it does.
 */
export async function treasuryLogs(
  nodes: AgreeingNodes,
  tokens: readonly Token[],
  treasury: readonly Hex[],
  range: { from: number; to: number },
  onProgress: OnProgress,
): Promise<Log[]> {
  const addresses = tokens.map(({ address }) => address);
  const ours = treasury.map(topicOf);
  const filters: LogFilter[] = [
    { addresses, topics: [TRANSFER_TOPIC, null, ours] },
    { addresses, topics: [TRANSFER_TOPIC, ours] },
  ];
  const ask = async (part: { from: number; to: number }): Promise<Log[]> => {
    try {
      const logs = await Promise.all(filters.map((filter) => nodes.logsInRange(part, filter)));
      onProgress(part.to - part.from + 1);
      return logs.flat();
    } catch (error) {
      if (!(error instanceof TooMuch) || part.from === part.to) throw error;
      return askInParts(part, Math.ceil((part.to - part.from + 1) / 2));
    }
  };
  const askInParts = async (whole: { from: number; to: number }, blocks: number): Promise<Log[]> => {
    const parts = partsOf(whole, blocks);
    return (await inTurns(parts, RANGES_AT_ONCE, ask)).flat();
  };
  const found = await askInParts(range, await answerable(nodes, filters[0] ?? {}, range));
  // One from us to us is found by both questions.
  return [...new Map(found.map((log) => [`${log.transactionHash}:${log.logIndex}`, log])).values()];
}

/** How many blocks the nodes answer about at once, judged by the newest ones. */
async function answerable(
  nodes: AgreeingNodes,
  filter: LogFilter,
  range: { from: number; to: number },
): Promise<number> {
  for (let blocks = range.to - range.from + 1; ; blocks = Math.ceil(blocks / 2)) {
    try {
      await nodes.logsInRange({ from: range.to - blocks + 1, to: range.to }, filter);
      return blocks;
    } catch (error) {
      if (!(error instanceof TooMuch) || blocks === 1) throw error;
    }
  }
}

function partsOf({ from, to }: { from: number; to: number }, blocks: number): { from: number; to: number }[] {
  const count = Math.ceil((to - from + 1) / blocks);
  return Array.from({ length: count }, (_, index) => ({
    from: from + index * blocks,
    to: Math.min(to, from + (index + 1) * blocks - 1),
  }));
}

/** Of one of the tokens; transfers of nothing are left out, which anyone can make in anyone's name. */
export const transfersIn = (token: Token, logs: readonly Log[]): TreasuryTransfer[] =>
  logs.flatMap((log) => {
    const transfer = log.address === token.address.toLowerCase() ? transferOf(log) : undefined;
    if (transfer === undefined || transfer.units === 0n) return [];
    const { transactionHash, logIndex } = log;
    return [
      { transactionHash, logIndex, from: transfer.from, to: transfer.to, amount: ofUnits(token, transfer.units) },
    ];
  });

/** A transfer that should be in a later block. */
export interface AwaitedTransfer {
  /** Of the ledger's movement. */
  id: string;
  transactionHash: Hex;
  /** Undefined where any address of the treasury will do. */
  to: Hex | undefined;
  amount: Amount;
}

/** The ids of those that are. Each transfer of a transaction is one movement's. */
export async function foundLater(
  nodes: AgreeingNodes,
  token: Token,
  treasury: ReadonlySet<Hex>,
  block: Block,
  awaited: readonly AwaitedTransfer[],
): Promise<Set<string>> {
  const found = await inTurns(awaited, BALANCES_AT_ONCE, async (movement) => {
    const receipt = await nodes.receipt(movement.transactionHash);
    if (!receipt?.succeeded || receipt.blockNumber <= block.number) return [];
    const matching = transfersIn(token, receipt.logs).filter(
      ({ from, to, amount }) =>
        amount === movement.amount && (movement.to === undefined ? treasury.has(from) : to === movement.to),
    );
    return [
      { id: movement.id, logs: matching.map(({ transactionHash, logIndex }) => `${transactionHash}:${logIndex}`) },
    ];
  });
  return eachWithItsOwn(found.flat());
}

/** Those for which there is a log of their own: two equal movements of one transaction are two transfers in it, or one is not there. */
export function eachWithItsOwn(found: readonly { id: string; logs: readonly string[] }[]): Set<string> {
  const taken = new Set<string>();
  const withOne = found.filter(({ logs }) => {
    const own = logs.find((log) => !taken.has(log));
    if (own !== undefined) taken.add(own);
    return own !== undefined;
  });
  return new Set(withOne.map(({ id }) => id));
}
