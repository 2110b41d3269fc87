import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import type { Network } from '@stablecoin/money/currency';

/** Our name of a payout at any rail, derived from its transaction's id: by it a rail knows what it has received before. */
export const payoutReference = (transactionId: string): string => `payout-${transactionId}`;

/**
 * What the sandbox's rail calls a payout: a bank's short reference, or a transaction hash as its chain writes them. Derived,
 * so that anyone can tell it from the hash of a transaction that is on the chain.
 */
export function sandboxRailReference(reference: string, network: Network | null): string {
  const hash = createHash('sha512').update(`sandbox-rail:${reference}`).digest();
  switch (network) {
    case null:
      return `SBX${hash.toString('hex', 0, 8).toUpperCase()}`;
    case 'erc20':
    case 'bep20':
    case 'polygon':
      return `0x${hash.toString('hex', 0, 32)}`;
    case 'trc20':
      return hash.toString('hex', 0, 32);
    case 'solana':
      return base58.encode(hash);
  }
}
