import { FeeSchedule } from '@stablecoin/money/fee';
import { IsSha256 } from '@stablecoin/contracts/wire/fields/identifiers';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { KeyMode } from './key-mode';

/** Who is behind an API key: asked by the gateway with the key's SHA-256, never with the key. */
export class ResolveApiKey {
  @IsSha256() key_hash: string;
}

export type ApiKeyScope = 'read' | 'write' | 'payout' | 'approve';

export interface ResolvedApiKey {
  api_key_id: string;
  merchant_id: string;
  mode: KeyMode;
  scopes: ApiKeyScope[];
  /** The ledger shard that holds all of this merchant's money. */
  shard: number;
  payout_fee_schedule: FeeSchedule | null;
  /**
   * Addresses, or networks as address/bits, from which the key may be used; none: from everywhere. Left out by a customer
   * service of the version before.
   */
  allowed_addresses?: readonly string[];
  /** Shared by the keys of one person. Left out by a customer service of the version before. */
  signer_id?: string;
}

export const resolveApiKey = operation({
  subject: 'customer.resolve-api-key',
  readOnly: true,
  request: ResolveApiKey,
  reply: replies<ResolvedApiKey>(),
  errors: ['invalid_api_key'],
});
