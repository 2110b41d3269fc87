/**
 * Whether a transfer that waits can be sent now. A shortage holds it and fails nothing: money comes, a token goes on. What
 * would fail it for good must be said by every node of the network.
 */
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { TransferFailure, TransferHold } from '@stablecoin/contracts/chain/views';
import { GAS_MAX, GAS_MIN } from '@stablecoin/contracts/signer/sign-transfer';
import { Fees, feeLimit } from './fees';
import { OutgoingTransfer } from './transfer';

/** What one node says, as of its newest block. */
export interface WaitingSight {
  /** Units of the token at the sending address; 0 where coins are sent. */
  tokens: bigint;
  /** Wei at the sending address. */
  coins: bigint;
  isPaused: boolean;
  isSenderBlacklisted: boolean;
  isRecipientBlacklisted: boolean;
  /** Whether it would revert if it were the only one. */
  wouldRevert: boolean;
  /** The gas that it would take; undefined where it would revert. */
  gas: number | undefined;
}

/** What of the lane's money is on its way out by transactions that are in no block yet. */
export interface UnderWay {
  count: number;
  tokens: Partial<Record<TokenCurrency, bigint>>;
  coins: bigint;
}

export type WaitingDecision =
  { do: 'hold'; by: TransferHold } | { do: 'fail'; failure: TransferFailure } | { do: 'send'; gas: number; fees: Fees };

/** Nodes keep so many of one address before they drop some (Geth: `accountslots`). */
export const UNDER_WAY_MAX = 16;
/** Between the estimate and the block, the contract's state may change. */
const GAS_ROOM_PERCENT = 30;

/** @param sights of each node of the network; undefined for one that did not answer */
export function decideWaiting(
  transfer: OutgoingTransfer,
  sights: readonly (WaitingSight | undefined)[],
  underWay: UnderWay,
  market: Fees | undefined,
): WaitingDecision {
  const answers = sights.filter((sight) => sight !== undefined);
  const areAll = (said: (sight: WaitingSight) => boolean) => answers.length === sights.length && answers.every(said);
  const isAny = (said: (sight: WaitingSight) => boolean) => answers.some(said);
  const { currency, units } = transfer;
  const isToken = currency !== null;

  if (underWay.count >= UNDER_WAY_MAX) return { do: 'hold', by: 'turn' };
  if (answers.length === 0 || market === undefined) return { do: 'hold', by: 'nodes' };
  // Where our own address is on the list, nothing leaves it, as with a token that is paused.
  if (isAny(({ isPaused, isSenderBlacklisted }) => isPaused || isSenderBlacklisted))
    return { do: 'hold', by: 'token_paused' };
  if (areAll(({ isRecipientBlacklisted }) => isRecipientBlacklisted))
    return { do: 'fail', failure: 'recipient_blacklisted' };
  if (isAny(({ isRecipientBlacklisted }) => isRecipientBlacklisted)) return { do: 'hold', by: 'nodes' };
  if (isToken && isAny(({ tokens }) => tokens < (underWay.tokens[currency] ?? 0n) + units))
    return { do: 'hold', by: 'liquidity' };
  if (areAll(({ wouldRevert }) => wouldRevert)) return { do: 'fail', failure: 'would_revert' };
  const gases = answers.flatMap(({ gas }) => (gas === undefined ? [] : [gas]));
  if (isAny(({ wouldRevert }) => wouldRevert) || gases.length === 0) return { do: 'hold', by: 'nodes' };
  // A plain transfer of coins to an address without code takes exactly what it takes.
  const gas = isToken ? Math.ceil((Math.max(...gases) * (100 + GAS_ROOM_PERCENT)) / 100) : Math.max(...gases);
  // A node that estimates what can't be would have the signer asked for what it never signs.
  if (gas < GAS_MIN || gas > GAS_MAX) return { do: 'hold', by: 'nodes' };
  const cost = feeLimit({ gas, maxFeePerGas: market.maxFeePerGas }) + (isToken ? 0n : units);
  if (isAny(({ coins }) => coins < underWay.coins + cost)) return { do: 'hold', by: 'gas' };
  return { do: 'send', gas, fees: market };
}
