// A signed transaction as a line of the journal, and back. Read by people too: the fields have the names of the request.

import type { Movement } from '@stablecoin/contracts/signer/movement';
import type { EvmNetwork } from '@stablecoin/chains/chains';
import type { TokenCurrency } from '@stablecoin/chains/tokens';
import type { SignedTransaction } from '../rules/signing-memory';
import type { Hex } from '../rules/transfer-transaction';

export interface SignedEntry {
  at: string;
  network: EvmNetwork;
  movement: Movement['kind'];
  /** Of a deposit address. */
  index: number | null;
  from: Hex;
  nonce: number;
  currency: TokenCurrency | null;
  to: Hex;
  /** Units of the token, or wei. */
  amount: string;
  gas: number;
  max_fee_per_gas: string;
  max_priority_fee_per_gas: string;
  hash: Hex;
  r: Hex;
  s: Hex;
  y_parity: 0 | 1;
  /** The name of the order that a payout pays; lines of a version before, and every other movement, have none. */
  order?: string;
}

export function entryOf({ kind, lane, from, terms, signature, at, order }: SignedTransaction, hash: Hex): SignedEntry {
  const { network, nonce, gas, maxFeePerGas, maxPriorityFeePerGas, transfer } = terms;
  return {
    at: new Date(at).toISOString(),
    network,
    movement: kind,
    index: typeof lane === 'number' ? lane : null,
    from,
    nonce,
    currency: transfer.currency,
    to: transfer.to,
    amount: transfer.amount.toString(),
    gas,
    max_fee_per_gas: maxFeePerGas.toString(),
    max_priority_fee_per_gas: maxPriorityFeePerGas.toString(),
    hash,
    r: signature.r,
    s: signature.s,
    y_parity: signature.yParity,
    ...(order !== undefined && { order }),
  };
}

export function signedTransactionOf(entry: SignedEntry): SignedTransaction {
  const { network, nonce, gas, currency, to, r, s, order } = entry;
  return {
    kind: entry.movement,
    lane: entry.index ?? entry.from,
    from: entry.from,
    terms: {
      network,
      nonce,
      gas,
      maxFeePerGas: BigInt(entry.max_fee_per_gas),
      maxPriorityFeePerGas: BigInt(entry.max_priority_fee_per_gas),
      transfer: { currency, to, amount: BigInt(entry.amount) },
    },
    signature: { r, s, yParity: entry.y_parity },
    at: Date.parse(entry.at),
    ...(order !== undefined && { order }),
  };
}
