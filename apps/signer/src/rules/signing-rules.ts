// May this be signed? Decided here and nowhere else, from the request, the signer's own policy and what it signed before.
// No clock, no key, no file. Guards stand in one order, the first that fails is the answer:
//
//   sender and fees by themselves → token → payee → order → nonce → fees → amounts

import { tokenOf } from '@stablecoin/chains/tokens';
import { isUnpayable } from '@stablecoin/chains/unpayable-addresses';
import type { Movement, Payout, Sender } from '@stablecoin/contracts/signer/movement';
import type { SigningRefusal, SignTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { getAddress } from 'viem/utils';
import { faultOfOrder, type OrderRules } from './payout-orders';
import { feeOf, isSameTransfer, type Lane, type SignedTransaction, type SigningMemory } from './signing-memory';
import { type Cap, type SpendingCaps, tokenName } from './spending-caps';
import type { Hex, TransactionTerms, Transfer } from './transfer-transaction';

/** What the signer's own configuration and keys say; nothing of it comes with a request. */
export interface SigningPolicy {
  readonly hot: Hex;
  readonly cold: Hex | null;
  readonly depositAddress: (index: number) => Hex;
  readonly caps: SpendingCaps;
  readonly orders: OrderRules;
}

/** Of the past, as far as the rules ask for it. */
type SigningHistory = Pick<
  SigningMemory,
  'signedUnder' | 'isClosed' | 'isPaidElsewhere' | 'spentWithinDay' | 'addedFee'
>;

export interface Refused {
  readonly refused: SigningRefusal;
  /** Of the request: the field at fault. */
  readonly field: string;
}

type SigningDecision =
  | Refused
  /** Signed before, with these very terms: the same bytes are the answer. */
  | { readonly repeat: SignedTransaction }
  | { readonly sign: Omit<SignedTransaction, 'signature'> };

/** Nodes take a replacement only with both fees raised by this, in hundredths. */
const RAISE_PERCENT = 10n;
const NO_CAP: Cap = { perTransaction: 0n, perDay: 0n };

export function decideSigning(
  request: SignTransfer,
  policy: SigningPolicy,
  history: SigningHistory,
  at: number,
): SigningDecision {
  const { network, movement } = request;
  const maxFeePerGas = BigInt(request.max_fee_per_gas);
  const maxPriorityFeePerGas = BigInt(request.max_priority_fee_per_gas);
  if (!maySend(request.from, movement)) return refused('wrong_sender', 'from');
  if (maxPriorityFeePerGas > maxFeePerGas) return refused('priority_above_fee', 'max_priority_fee_per_gas');
  if ('currency' in movement && tokenOf(network, movement.currency) === undefined)
    return refused('token_not_listed', 'movement.currency');

  const from = request.from.kind === 'hot' ? policy.hot : policy.depositAddress(request.from.index);
  const transfer = transferOf(movement, from, policy);
  if ('refused' in transfer) return transfer;

  const terms = { network, nonce: request.nonce, gas: request.gas, maxFeePerGas, maxPriorityFeePerGas, transfer };
  const lane: Lane = request.from.kind === 'hot' ? from : request.from.index;
  const before = history.signedUnder(network, lane, request.nonce);
  if (before && isSameTerms(before.terms, terms)) return { repeat: before };

  // What is replaced was ordered when it was first signed.
  const isNewPayout = movement.kind === 'payout' && before === undefined;
  const paid = isNewPayout ? orderOf(movement, policy, terms, lane, history) : undefined;
  if (paid && 'refused' in paid) return paid;
  const fault =
    faultOfNonce(movement, terms, before, history.isClosed(network, lane, request.nonce)) ??
    faultOfFees(terms, policy.caps, history, lane, at) ??
    // The payment that is replaced was counted when it was first signed.
    (before ? undefined : faultOfAmount(movement, terms, policy.caps, history, at));
  return fault ?? { sign: { kind: movement.kind, lane, from, terms, at, ...paid } };
}

const refused = (reason: SigningRefusal, field: string): Refused => ({ refused: reason, field });

/** One order, one nonce: the chain takes one transaction of a nonce, and so pays an order once. */
function orderOf(
  payout: Payout,
  { orders }: SigningPolicy,
  { network, nonce }: TransactionTerms,
  lane: Lane,
  history: SigningHistory,
): Refused | { readonly order?: string } {
  const fault = faultOfOrder(network, payout, orders);
  if (fault !== undefined) return refused(fault, 'movement.order');
  const { reference: order } = payout;
  if (order === undefined) return {};
  return history.isPaidElsewhere(order, { network, lane, nonce })
    ? refused('order_paid', 'movement.reference')
    : { order };
}

/** Deposit addresses only ever empty themselves into the hot wallet. */
function maySend(from: Sender, { kind }: Movement): boolean {
  switch (kind) {
    case 'payout':
    case 'to-cold':
    case 'gas':
      return from.kind === 'hot';
    case 'sweep':
      return from.kind === 'deposit';
    case 'cancel':
      return true;
    default:
      return unknownMovement(kind);
  }
}

function transferOf(movement: Movement, from: Hex, { hot, cold, depositAddress }: SigningPolicy): Transfer | Refused {
  switch (movement.kind) {
    case 'payout': {
      const to = getAddress(movement.to);
      if (to === hot || to === cold) return refused('own_address', 'movement.to');
      if (isUnpayable(to)) return refused('unpayable_address', 'movement.to');
      return { currency: movement.currency, to, amount: BigInt(movement.units) };
    }
    case 'sweep':
      return { currency: movement.currency, to: hot, amount: BigInt(movement.units) };
    case 'to-cold':
      if (cold === null) return refused('no_cold_address', 'movement.kind');
      return { currency: movement.currency, to: cold, amount: BigInt(movement.units) };
    case 'gas':
      return { currency: null, to: depositAddress(movement.index), amount: BigInt(movement.wei) };
    case 'cancel':
      return { currency: null, to: from, amount: 0n };
    default:
      return unknownMovement(movement);
  }
}

function isSameTerms(one: TransactionTerms, other: TransactionTerms): boolean {
  return (
    isSameTransfer(one.transfer, other.transfer) &&
    one.gas === other.gas &&
    one.maxFeePerGas === other.maxFeePerGas &&
    one.maxPriorityFeePerGas === other.maxPriorityFeePerGas
  );
}

/**
 * One nonce, one payment: after it, the same one with higher fees, or its cancellation; after that, only the latter. It alone is
 * signed under a nonce that is too old to be known: it pays no one, whatever was signed there, and the lane moves on.
 */
function faultOfNonce(
  { kind }: Movement,
  terms: TransactionTerms,
  before: SignedTransaction | undefined,
  isClosed: boolean,
): Refused | undefined {
  if (before === undefined) return isClosed && kind !== 'cancel' ? refused('nonce_closed', 'nonce') : undefined;
  if (kind !== 'cancel' && !isSameTransfer(before.terms.transfer, terms.transfer))
    return refused('nonce_used', 'nonce');
  if (!isRaised(before.terms.maxFeePerGas, terms.maxFeePerGas)) return refused('fees_not_raised', 'max_fee_per_gas');
  if (!isRaised(before.terms.maxPriorityFeePerGas, terms.maxPriorityFeePerGas))
    return refused('fees_not_raised', 'max_priority_fee_per_gas');
  return undefined;
}

const isRaised = (before: bigint, now: bigint): boolean =>
  now > before && now * 100n >= before * (100n + RAISE_PERCENT);

/** Fees leave for good: without these caps a caller could burn the wallet instead of emptying it. */
function faultOfFees(
  terms: TransactionTerms,
  { fees, feePerGas }: SpendingCaps,
  history: SigningHistory,
  lane: Lane,
  at: number,
): Refused | undefined {
  const { network, maxFeePerGas } = terms;
  if (maxFeePerGas > (feePerGas.get(network) ?? 0n)) return refused('fee_per_gas_above_cap', 'max_fee_per_gas');
  const { perTransaction, perDay } = fees.get(network) ?? NO_CAP;
  if (feeOf(terms) > perTransaction) return refused('fee_above_cap', 'gas');
  const spent = history.spentWithinDay(`${network}:fees`, at);
  return spent + history.addedFee(lane, terms) > perDay ? refused('fees_above_daily_cap', 'gas') : undefined;
}

/** Sweeps and transfers to the cold address stay ours and need no cap. */
function faultOfAmount(
  movement: Movement,
  { network, transfer: { amount } }: TransactionTerms,
  { payouts, gas }: SpendingCaps,
  history: SigningHistory,
  at: number,
): Refused | undefined {
  if (movement.kind !== 'payout' && movement.kind !== 'gas') return undefined;
  const isPayout = movement.kind === 'payout';
  const name = isPayout ? tokenName(network, movement.currency) : (`${network}:gas` as const);
  const { perTransaction, perDay } =
    (movement.kind === 'payout' ? payouts.get(tokenName(network, movement.currency)) : gas.get(network)) ?? NO_CAP;
  const field = isPayout ? 'movement.units' : 'movement.wei';
  if (amount > perTransaction) return refused('amount_above_cap', field);
  return history.spentWithinDay(name, at) + amount > perDay ? refused('amount_above_daily_cap', field) : undefined;
}

function unknownMovement(movement: never): never {
  throw new Error(`No rule for the movement ${String(movement)}`);
}
