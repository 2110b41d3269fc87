/**
 * What leaves an address of ours: one order, and the transactions that were signed for it.
 *
 * | state     | means                                                                            |
 * |-----------|----------------------------------------------------------------------------------|
 * | waiting   | nothing of it is stored that a node could have                                   |
 * | sent      | a signed transaction is stored, and sent again until one of its nonce is final   |
 * | completed | the ordered transfer is in a final block                                         |
 * | failed    | it can never be in one: nothing was signed, or the nonce was used up by a        |
 * |           | transaction that was reverted or that cancels it, in a final block               |
 *
 * All attempts of a transfer have one nonce, so the chain takes one of them at the most; which, it alone decides.
 */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { SignedText } from '@stablecoin/command-proofs/command-mac';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { TransferFailure, TransferHold, TransferKind, TransferState } from '@stablecoin/contracts/chain/views';

/** The address that it leaves: what the signer is asked for by name, never by address. */
type TransferSender = { kind: 'hot' } | { kind: 'deposit'; index: number };

/** What is ordered under a reference. The same reference is always the same terms. */
interface TransferTerms {
  network: EvmNetwork;
  kind: TransferKind;
  from: TransferSender;
  /** In lower case, as every address here. */
  fromAddress: Hex;
  /** Of the deposit address that is given coins; for `gas` alone. */
  toIndex?: number;
  toAddress: Hex;
  /** Null for native coins, which only `gas` moves. */
  currency: TokenCurrency | null;
  /** Of the token's contract, or wei. */
  units: bigint;
}

export interface TransferOrder extends TransferTerms {
  reference: string;
  /** As the payout service has signed it; for payouts alone. */
  signedOrder?: SignedText;
}

export interface OutgoingTransfer extends TransferOrder {
  id: string;
  state: TransferState;
  heldBy: TransferHold | null;
  failure: TransferFailure | null;
  nonce: number | null;
  transactionHash: Hex | null;
  blockNumber: number | null;
  blockHash: Hex | null;
  feeWei: bigint | null;
  cancelledBy: string | null;
  /** Where the signer refused, or nothing could be sent: not tried again before. */
  retryAt: Date | null;
  sentAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Where a nonce counts: one chain, one address. */
export interface Lane {
  network: EvmNetwork;
  fromAddress: Hex;
}

/** The reference was taken with other terms. Nothing was stored. */
export class OtherTerms extends Error {
  constructor(reference: string) {
    super(`the transfer ${reference} was ordered with other terms`);
    this.name = 'OtherTerms';
  }
}

/** A payout leaves the hot wallet of its time: another one by now makes no other order of it. */
export const isSameOrder = (stored: TransferTerms, asked: TransferTerms): boolean =>
  textOf(stored) === textOf(stored.kind === 'payout' ? { ...asked, fromAddress: stored.fromAddress } : asked);

const textOf = ({ network, kind, from, fromAddress, toIndex, toAddress, currency, units }: TransferTerms): string =>
  [
    ...[network, kind, from.kind, from.kind === 'deposit' ? from.index : '', fromAddress.toLowerCase(), toIndex ?? ''],
    ...[toAddress.toLowerCase(), currency ?? '', units],
  ].join(' ');
