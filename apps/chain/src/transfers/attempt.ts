import { Hex } from '@stablecoin/chain-node/chain-node';
import { Movement } from '@stablecoin/contracts/signer/movement';
import { SignTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { Fees } from './fees';
import { OutgoingTransfer } from './transfer';

/** What a transaction is signed with, besides what it moves. */
export interface AttemptTerms extends Fees {
  /** From 1. */
  number: number;
  /** Nothing, to itself: it takes the place of the others. */
  cancels: boolean;
  /** The limit of gas. */
  gas: number;
}

/** A transaction for a transfer: stored with its terms before it is signed, and with its bytes before it is sent. */
export interface TransferAttempt extends AttemptTerms {
  raw: Hex | null;
  hash: Hex | null;
  /** The signer would not sign these terms: there are no such bytes anywhere. */
  refused: string | null;
  createdAt: Date;
  broadcastAt: Date | null;
}

export interface SignedAttempt extends TransferAttempt {
  raw: Hex;
  hash: Hex;
}

export const isSigned = (attempt: TransferAttempt): attempt is SignedAttempt => attempt.raw !== null;

/** The signer may have signed it, and its answer was not stored: it is asked for the very same again. */
export const isUndecided = ({ raw, refused }: TransferAttempt): boolean => raw === null && refused === null;

/** What the signer is asked for. The same attempt is always the same request, and the signer's answer the same bytes. */
export function requestOf(transfer: OutgoingTransfer, attempt: AttemptTerms): Plain<SignTransfer> {
  const { network, from, nonce, reference } = transfer;
  if (nonce === null) throw new Error(`the transfer ${reference} has no nonce to be signed with`);
  return {
    ...{ network, from, nonce, gas: attempt.gas },
    max_fee_per_gas: attempt.maxFeePerGas.toString(),
    max_priority_fee_per_gas: attempt.maxPriorityFeePerGas.toString(),
    movement: attempt.cancels ? { kind: 'cancel' } : movementOf(transfer),
  };
}

function movementOf(transfer: OutgoingTransfer): Plain<Movement> {
  const { kind, currency, toIndex, toAddress, units, reference, signedOrder } = transfer;
  if (kind === 'gas') {
    if (toIndex === undefined) throw new Error(`the transfer ${reference} names no deposit address`);
    return { kind, index: toIndex, wei: units.toString() };
  }
  if (currency === null) throw new Error(`the transfer ${reference} has no currency`);
  const token = { currency, units: units.toString() };
  if (kind !== 'payout') return { kind, ...token };
  const order = signedOrder && { reference, order: signedOrder.text, order_signature: signedOrder.signature };
  return { kind, to: toAddress, ...token, ...order };
}
