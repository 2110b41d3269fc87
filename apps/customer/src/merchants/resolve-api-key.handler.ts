import { ResolveApiKey, ResolvedApiKey, resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { sameHash } from '@stablecoin/customer-store/merchants/api-key';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { KeyUses } from './key-uses';
import { feeSchedule, PayoutFeeColumns } from './payout-fee';

interface ApiKeyRow extends Omit<ResolvedApiKey, 'payout_fee_schedule'>, PayoutFeeColumns {
  key_hash: string;
  expires_at: Date | null;
  revoked_at: Date | null;
}

/** Unknown, expired and revoked keys get the same answer. */
@Handles(resolveApiKey)
export class ResolveApiKeyHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
    private readonly uses: KeyUses,
  ) {}

  async execute({ key_hash }: ResolveApiKey): Promise<ResolvedApiKey> {
    const [key] = await asRefusal(
      async () => this.database.$queryRaw<ApiKeyRow[]>`
      SELECT key.id AS api_key_id, merchant_id, mode, scopes, shard, key_hash, expires_at, revoked_at, allowed_addresses,
             COALESCE(signer_id, key.id) AS signer_id,
             payout_fee_flat::text, payout_fee_basis_points
      FROM api_keys AS key JOIN merchants ON merchants.id = merchant_id
      WHERE key_hash = ${key_hash}`,
    );
    if (!key || !sameHash(key.key_hash, key_hash) || !isValid(key, this.clock.now()))
      throw new Refusal('invalid_api_key');
    const { api_key_id, merchant_id, mode, scopes, shard, allowed_addresses, signer_id } = key;
    this.uses.note(api_key_id);
    const found = { api_key_id, merchant_id, mode, scopes, shard, allowed_addresses, signer_id };
    return { ...found, payout_fee_schedule: feeSchedule(key) };
  }
}

function isValid({ revoked_at, expires_at }: ApiKeyRow, now: Date): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}
