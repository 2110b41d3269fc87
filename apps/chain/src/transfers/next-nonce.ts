import { TransferHold } from '@stablecoin/contracts/chain/views';

/** What is known of a lane's nonces. */
export interface LaneNonces {
  /** The highest that is stored with a transfer. */
  lastNonce: number | null;
  /** Given by us from here on; null where the chain is to say it: at the beginning, and when an operator has resumed it. */
  firstNonce: number | null;
  /** An operator has said that what was sent from there before is known, or nothing sent from there pays anyone twice. */
  mayBeginLater: boolean;
  /** By each node of the network: how many transactions of the address are mined. Undefined where it did not answer. */
  mined: readonly (number | undefined)[];
  /** How many of them are in final blocks, by all nodes; undefined where it is not known. */
  minedFinally: number | undefined;
}

export type NextNonce = { nonce: number } | { hold: Extract<TransferHold, 'nodes' | 'nonce_taken'> };

/**
 * The nonce of the next transfer: the stored one after the last, as nothing else sends from the address. Where the chain is
 * further than that, something else did, or our records are not what they were: nothing more is sent. That holds for an
 * address of which there are no records at all, too: they may be lost, and what is ordered again was paid.
 */
export function nextNonce({ lastNonce, firstNonce, mayBeginLater, mined, minedFinally }: LaneNonces): NextNonce {
  const ours = lastNonce === null ? 0 : lastNonce + 1;
  if (firstNonce === null) {
    if (lastNonce === null && !mayBeginLater && minedFinally !== undefined && minedFinally > 0)
      return { hold: 'nonce_taken' };
    const areFinal =
      minedFinally !== undefined &&
      mined.every((count) => count !== undefined && count <= Math.max(minedFinally, ours));
    return areFinal ? { nonce: Math.max(ours, minedFinally) } : { hold: 'nodes' };
  }
  const next = Math.max(ours, firstNonce);
  if (mined.every((count) => count === undefined)) return { hold: 'nodes' };
  if (mined.every((count) => count === undefined || count <= next)) return { nonce: next };
  return { hold: minedFinally !== undefined && minedFinally > next ? 'nonce_taken' : 'nodes' };
}
