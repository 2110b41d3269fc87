/**
 * What is moved between our own addresses: decided here from what was read of the chain and what is under way, without a
 * node and without a database.
 *
 * | step     | when                                                    | what                                       |
 * |----------|---------------------------------------------------------|--------------------------------------------|
 * | gas      | the address has not the coins for its sweep's fee, or   | hot → address: what is missing             |
 * |          | an ordered sweep is held for want of them               |                                            |
 * | sweep    | it has them, and more of a token than the threshold     | address → hot: all of the token            |
 * | to-cold  | the hot wallet has more than its maximum                | hot → cold: all above its target           |
 *
 * Each is named by how many of its kind have ended before it: a pass that decides the same once more orders nothing more.
 */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { TransferHold } from '@stablecoin/contracts/chain/views';
import { TransferOrder } from '../transfers/transfer';

/** After a sweep, or coins for one, has failed: what made it fail may have passed by then. */
export const RETRY_AFTER_MS = 6 * 60 * 60 * 1_000;

/** A token at a deposit address. */
export interface SweepCase {
  network: EvmNetwork;
  address: Hex;
  index: number;
  currency: TokenCurrency;
  /** That no block which may be replaced has brought. */
  units: bigint;
  /** A sweep is worth its fee above this. */
  threshold: bigint;
  coins: bigint;
  /** What its sweep takes, with room for fees that rise until then. */
  fee: bigint;
  /** Of this address, whichever token it moves; undefined where none is open. */
  openSweep: { heldBy: TransferHold | null } | undefined;
  isGasOpen: boolean;
  /** Of the address and the token. */
  sweepsEnded: number;
  /** Of the address. */
  gasEnded: number;
  /** How long ago the last sweep or gas of the address failed; undefined where the last one did not. */
  failedMsAgo: number | undefined;
}

/** An order for the sender's lane. */
export function decideSweep(sweep: SweepCase, hot: Hex): TransferOrder | undefined {
  const { units, threshold, coins, fee, openSweep, isGasOpen, failedMsAgo } = sweep;
  // What has been ordered comes first: until it is final, nothing that follows is known.
  if (isGasOpen) return undefined;
  if (openSweep) return openSweep.heldBy === 'gas' && coins < fee ? gasOrder(sweep, hot) : undefined;
  if (units <= threshold) return undefined;
  if (failedMsAgo !== undefined && failedMsAgo < RETRY_AFTER_MS) return undefined;
  return coins < fee ? gasOrder(sweep, hot) : sweepOrder(sweep, hot);
}

const gasOrder = ({ network, address, index, coins, fee, gasEnded }: SweepCase, hot: Hex): TransferOrder => ({
  reference: `gas:${network}:${index}:${gasEnded}`,
  ...{ network, kind: 'gas', from: { kind: 'hot' }, fromAddress: hot, toIndex: index, toAddress: address },
  ...{ currency: null, units: fee - coins },
});

const sweepOrder = ({ network, address, index, currency, units, sweepsEnded }: SweepCase, hot: Hex): TransferOrder => ({
  reference: `sweep:${network}:${currency}:${index}:${sweepsEnded}`,
  ...{ network, kind: 'sweep', from: { kind: 'deposit', index }, fromAddress: address, toAddress: hot },
  ...{ currency, units },
});

/** A token in the hot wallet. */
export interface HotCase {
  network: EvmNetwork;
  currency: TokenCurrency;
  units: bigint;
  /** Of it, what payees and the cold address are waiting for. */
  leaving: bigint;
  /** Undefined where the wallet may hold any amount. */
  limits: { maximum: bigint; target: bigint } | undefined;
  isToColdOpen: boolean;
  toColdEnded: number;
  failedMsAgo: number | undefined;
}

/** @param cold undefined where the signer knows none: then the hot wallet keeps everything */
export function decideToCold(held: HotCase, hot: Hex, cold: Hex | undefined): TransferOrder | undefined {
  const { network, currency, units, leaving, limits, isToColdOpen, toColdEnded, failedMsAgo } = held;
  if (cold === undefined || limits === undefined || isToColdOpen) return undefined;
  if (failedMsAgo !== undefined && failedMsAgo < RETRY_AFTER_MS) return undefined;
  const free = units - leaving;
  if (free <= limits.maximum) return undefined;
  return {
    reference: `to-cold:${network}:${currency}:${toColdEnded}`,
    ...{ network, kind: 'to-cold', from: { kind: 'hot' }, fromAddress: hot, toAddress: cold },
    ...{ currency, units: free - limits.target },
  };
}
