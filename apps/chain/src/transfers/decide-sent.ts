/**
 * What is to be done with a transfer of which a transaction is signed, from what is stored and from what the nodes say.
 *
 * No node alone ends a transfer: what becomes `completed` or `failed` is in a block that is final and that all of them
 * have. And whatever is in doubt is answered in one way, by sending the same bytes again, which can't pay twice.
 */
import { Agreement } from '@stablecoin/chain-node/agreement';
import { Receipt } from '@stablecoin/chain-node/chain-node';
import { transferOf } from '@stablecoin/chains/erc20';
import { tokenOf } from '@stablecoin/chains/tokens';
import { TransferFailure } from '@stablecoin/contracts/chain/views';
import { isSigned, isUndecided, SignedAttempt, TransferAttempt } from './attempt';
import { Fees, raisedFees } from './fees';
import { OutgoingTransfer } from './transfer';

/** What one node says of the lane, and whether it has the newest transaction, in a block or in its pool. */
export interface NodeSight {
  /** How many transactions of the address are in its newest block's chain: the next one's nonce. */
  mined: number;
  /** Undefined where it was not asked. */
  hasNewest?: boolean;
}

/** The receipt of an attempt that is in a block, and whether all nodes have that block at its height. */
export interface FoundReceipt {
  attempt: SignedAttempt;
  agreement: Agreement<Receipt>;
  isCanonical: boolean;
}

export interface SightOfSent {
  /** By node; undefined for one that did not answer. */
  nodes: readonly (NodeSight | undefined)[];
  /** Of the attempts that at least one node has in a block. */
  receipts: readonly FoundReceipt[];
  /** Up to where the chain is final by all nodes; undefined while that is not known. */
  finalHeight: number | undefined;
  /** How many transactions of the address there are up to a final block, by all nodes; undefined where it is not known. */
  minedFinally: number | undefined;
  /** Undefined while no node tells it. */
  market: Fees | undefined;
}

interface SentSettings {
  now: number;
  replaceAfterMs: number;
}

export type SentDecision =
  /** Final. `failure` is null where it is completed. */
  | { do: 'finish'; failure: TransferFailure | null; attempt: SignedAttempt; receipt: Receipt }
  /** Final, successful, and without the ordered transfer: for a person. */
  | { do: 'hold'; by: 'transfer_missing'; attempt: SignedAttempt; receipt: Receipt }
  /** In a block that may still be replaced. */
  | { do: 'stand'; attempt: SignedAttempt; receipt: Receipt }
  /** The nodes contradict each other. */
  | { do: 'doubt'; reason: string }
  /** Its nonce is used up by a transaction that is not ours. `cancelled`: and nothing was asked but its end. */
  | { do: 'give-up'; cancelled: boolean }
  | { do: 'sign'; cancels: boolean; fees: Fees; after: TransferAttempt }
  | { do: 'broadcast'; attempt: SignedAttempt }
  /** `isMined`: a node has something at its nonce. */
  | { do: 'wait'; isMined: boolean };

export function decideSent(
  transfer: OutgoingTransfer,
  attempts: readonly TransferAttempt[],
  sight: SightOfSent,
  settings: SentSettings,
): SentDecision {
  const { nonce } = transfer;
  const newest = attempts.filter(isSigned).at(-1);
  if (nonce === null || !newest) throw new Error(`nothing was signed for the transfer ${transfer.reference}`);

  const disputed = sight.receipts.find(({ agreement }) => agreement.state === 'disagreed');
  if (disputed?.agreement.state === 'disagreed') return { do: 'doubt', reason: disputed.agreement.reason };
  for (const { attempt, agreement, isCanonical } of sight.receipts)
    if (agreement.state === 'agreed') return decideMined(transfer, attempt, agreement.value, isCanonical, sight);
  // Some nodes have it in a block: it ends when all of them say so. Until then nothing further is signed for it.
  const answering = sight.nodes.filter((node) => node !== undefined);
  for (const { attempt, agreement } of sight.receipts)
    if (agreement.state === 'incomplete' && agreement.value && answering.every(({ mined }) => mined > nonce))
      return { do: 'stand', attempt, receipt: agreement.value };
  // One node has it in a block, another one not, or not yet.
  if (sight.receipts.length > 0)
    return sight.nodes.some((node) => node?.hasNewest === false)
      ? { do: 'broadcast', attempt: newest }
      : { do: 'wait', isMined: true };

  if (sight.nodes.every((node) => node !== undefined && node.mined > nonce))
    return sight.minedFinally !== undefined && sight.minedFinally > nonce
      ? { do: 'give-up', cancelled: transfer.cancelledBy !== null }
      : { do: 'wait', isMined: true };
  return decideUnmined(transfer, attempts, newest, sight, settings);
}

function decideMined(
  transfer: OutgoingTransfer,
  attempt: SignedAttempt,
  receipt: Receipt,
  isCanonical: boolean,
  { finalHeight }: SightOfSent,
): SentDecision {
  const isFinal = isCanonical && finalHeight !== undefined && receipt.blockNumber <= finalHeight;
  if (!isFinal) return { do: 'stand', attempt, receipt };
  if (attempt.cancels) return { do: 'finish', failure: 'cancelled', attempt, receipt };
  if (!receipt.succeeded) return { do: 'finish', failure: 'reverted', attempt, receipt };
  if (!hasTransferred(transfer, receipt)) return { do: 'hold', by: 'transfer_missing', attempt, receipt };
  return { do: 'finish', failure: null, attempt, receipt };
}

/** Coins leave no log: that their transaction succeeded is all there is. */
function hasTransferred({ network, currency, ...ordered }: OutgoingTransfer, { logs }: Receipt): boolean {
  if (currency === null) return true;
  const token = tokenOf(network, currency)?.address.toLowerCase();
  return logs.some((log) => {
    const transfer = transferOf(log);
    return (
      log.address.toLowerCase() === token &&
      transfer?.from === ordered.fromAddress &&
      transfer.to === ordered.toAddress &&
      transfer.units === ordered.units
    );
  });
}

function decideUnmined(
  transfer: OutgoingTransfer,
  attempts: readonly TransferAttempt[],
  newest: SignedAttempt,
  sight: SightOfSent,
  { now, replaceAfterMs }: SentSettings,
): SentDecision {
  const { nonce, retryAt, cancelledBy } = transfer;
  const answering = sight.nodes.filter((node) => node !== undefined);
  // What the signer may have signed comes first, whatever its terms.
  const mayAsk = !attempts.some(isUndecided) && (retryAt === null || retryAt.getTime() <= now);
  const sign = (cancels: boolean, market: Fees): SentDecision => ({
    do: 'sign',
    ...{ cancels, fees: raisedFees(newest, market), after: newest },
  });
  if (cancelledBy !== null && !newest.cancels && sight.market && mayAsk) return sign(true, sight.market);

  const again: SentDecision = { do: 'broadcast', attempt: newest };
  // It was never taken for sure, or was in a block that is replaced by now.
  if (newest.broadcastAt === null || transfer.blockNumber !== null) return again;

  // Only the next one can be mined: what waits behind it is not stuck by its own fees.
  const isNext = answering.some(({ mined }) => mined === nonce);
  const isStuck = isNext && newest.broadcastAt.getTime() + replaceAfterMs <= now;
  if (isStuck && sight.market && mayAsk) return sign(newest.cancels, sight.market);
  return answering.some(({ hasNewest }) => hasNewest === false) ? again : { do: 'wait', isMined: false };
}
