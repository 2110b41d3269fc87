/** Replaces the newest blocks of the chain: each of their transactions is in another block afterwards, comes later, or is gone. */
import type { Drawing } from '@stablecoin/testing/drawing';
import type { TestChain } from '@stablecoin/testing/chain';
import { type Hex, toHex } from 'viem';

interface IncludedTransaction {
  hash: Hex;
  from: Hex;
  nonce: Hex;
}

interface Replaced {
  raw: Hex;
  from: Hex;
  nonce: number;
  isFinal: boolean;
}

type Fate = { kind: 'moved'; place: number } | { kind: 'later' } | { kind: 'gone' };

export interface Replacement {
  depth: number;
  draw: Drawing;
  /** The last final block. */
  final: number;
  /** The hot wallet: what was final of it is never gone, because every node would still have it to send again. */
  hot: Hex;
}

/** @returns the bytes of those that are gone */
export async function replaceBlocks(chain: TestChain, { depth, draw, final, hot }: Replacement): Promise<Hex[]> {
  const head = await chain.height();
  const replaced: Replaced[] = [];
  for (let number = head - depth + 1; number <= head; number += 1) {
    const { transactions } = await chain.call<{ transactions: IncludedTransaction[] }>(
      'eth_getBlockByNumber',
      toHex(number),
      true,
    );
    for (const { hash, from, nonce } of transactions)
      replaced.push({ raw: await chain.rawOf(hash), from, nonce: Number(nonce), isFinal: number <= final });
  }
  const fates = new Map(replaced.map((each) => [each, fateOf(draw, depth)]));
  keepOrder(
    replaced.filter(({ from }) => from === hot),
    fates,
    depth,
  );
  const moved = draw
    .shuffled(replaced)
    .flatMap((each) => {
      const fate = fates.get(each);
      return fate?.kind === 'moved' ? [{ ...each, place: fate.place }] : [];
    })
    .sort((one, other) => one.place - other.place);
  await chain.reorganise(
    depth,
    inOrderOfNonces(moved).map(({ raw, place }) => [raw, place] as const),
  );
  for (const each of replaced.filter((one) => fates.get(one)?.kind === 'later')) await offer(chain, each.raw);
  return replaced.filter((each) => fates.get(each)?.kind === 'gone').map(({ raw }) => raw);
}

/** A node that has it, or has another one of its nonce, says so: then it is where it can be. */
export async function offer(chain: TestChain, raw: Hex): Promise<void> {
  await chain.call('eth_sendRawTransaction', raw).catch(() => undefined);
}

function fateOf(draw: Drawing, depth: number): Fate {
  const drawn = draw.below(10);
  if (drawn < 5) return { kind: 'moved', place: draw.below(depth) };
  return { kind: drawn < 7 ? 'later' : 'gone' };
}

/** Transactions of one sender can only be in the order of their nonces, and none behind one that is missing. */
function keepOrder(sent: readonly Replaced[], fates: Map<Replaced, Fate>, depth: number): void {
  let place = 0;
  let isBroken = false;
  for (const each of [...sent].sort((one, other) => one.nonce - other.nonce)) {
    const drawn = fates.get(each) ?? { kind: 'gone' };
    const wanted: Fate = each.isFinal && drawn.kind !== 'moved' ? { kind: 'moved', place } : drawn;
    if (wanted.kind === 'moved' && !isBroken) {
      place = Math.min(depth - 1, Math.max(place, wanted.place));
      fates.set(each, { kind: 'moved', place });
    } else {
      isBroken = true;
      fates.set(each, wanted.kind === 'moved' ? { kind: 'later' } : wanted);
    }
  }
}

/** Within a block in the order drawn, but one sender's in the order of their nonces. */
function inOrderOfNonces<Moved extends Pick<Replaced, 'from' | 'nonce'> & { place: number }>(moved: Moved[]): Moved[] {
  const bySender = new Map<Hex, Moved[]>();
  for (const each of moved) bySender.set(each.from, [...(bySender.get(each.from) ?? []), each]);
  for (const all of bySender.values()) all.sort((one, other) => one.place - other.place || one.nonce - other.nonce);
  return moved.map(({ from }) => bySender.get(from)?.shift() as Moved);
}
