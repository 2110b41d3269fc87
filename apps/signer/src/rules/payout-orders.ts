// Is this payout the one that the payout service has ordered? The caller has the order from a table that others can write to:
// every term is held against the text that payout has signed, by a key that neither the chain service nor a database has.

import { toUnits } from '@stablecoin/chains/units';
import { tokenOf } from '@stablecoin/chains/tokens';
import { CallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { isEvidenceSigned, readEvidence } from '@stablecoin/command-proofs/evidence';
import type { EvmNetwork } from '@stablecoin/chains/chains';
import type { Payout } from '@stablecoin/contracts/signer/movement';

export interface OrderRules {
  /** By which the orders of each service are known. */
  readonly keys: CallerKeys;
  /** Whether a payout without an order is signed: services of a version that signs none may have asked for it. */
  readonly acceptsUnsigned: boolean;
}

type OrderFault = 'order_missing' | 'wrong_order';

/** The service that orders payouts. */
const ORDERS_BY = 'payout';

export function faultOfOrder(network: EvmNetwork, payout: Payout, rules: OrderRules): OrderFault | undefined {
  const { reference, order, order_signature } = payout;
  if (reference === undefined || order === undefined || order_signature === undefined)
    return rules.acceptsUnsigned ? undefined : 'order_missing';
  const signed = { text: order, signature: order_signature };
  const isOrdered = isEvidenceSigned(rules.keys, ORDERS_BY, signed) && saysSame(network, payout, order);
  return isOrdered ? undefined : 'wrong_order';
}

function saysSame(network: EvmNetwork, { currency, to, units, reference }: Payout, text: string): boolean {
  const order = readEvidence('transfer-order', text);
  const token = tokenOf(network, currency);
  if (!order || !token) return false;
  const isSamePayee = order.to === to.toLowerCase();
  const isSameName = order.reference === reference && order.network === network && order.currency === currency;
  return isSamePayee && isSameName && toUnits(token, order.amount) === BigInt(units);
}
