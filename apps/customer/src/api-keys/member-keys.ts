import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { ScopeAtConsole, SCOPES_AT_CONSOLE } from '@stablecoin/contracts/customer/api-key-views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { Transaction } from '@stablecoin/customer-store/customer-database';
import { lockQuota, quotaOf } from '@stablecoin/customer-store/merchants/merchant-quotas';
import { KeyRow, MerchantRegistry, signerOf } from '@stablecoin/customer-store/merchants/merchant-registry';

/** What a merchant's people may give: what its valid keys may together, and never an approval. */
export const grantable = (valid: readonly Pick<KeyRow, 'scopes'>[]): ScopeAtConsole[] =>
  SCOPES_AT_CONSOLE.filter((scope) => valid.some(({ scopes }) => scopes.includes(scope)));

/** @throws Refusal where a new key would be one too many, or could do more than the merchant's keys may */
export async function requireGrantable(
  transaction: Transaction,
  registry: MerchantRegistry,
  merchantId: string,
  scopes: readonly ApiKeyScope[],
): Promise<void> {
  await lockQuota(transaction, merchantId);
  const valid = await registry.validKeys(transaction, merchantId);
  const { api_keys } = await quotaOf(transaction, merchantId);
  if (valid.length >= api_keys)
    throw Refusal.ofField('keys', 'too_many', `are ${valid.length} already, as many as may be: revoke one first`);
  const may = grantable(valid);
  if (scopes.some((scope) => !may.some((one) => one === scope)))
    throw Refusal.ofField('scopes', 'not_grantable', `must be some of what your valid keys may: ${may.join(', ')}`);
}

/** A merchant's key. @throws Refusal `not_found`, also for another merchant's */
export async function findKey(transaction: Transaction, merchantId: string, keyId: string): Promise<KeyRow> {
  const key = await transaction.apiKey.findFirst({ where: { id: keyId, merchant_id: merchantId } });
  if (!key) throw new Refusal('not_found');
  return key;
}

/**
 * Whose rotation makes a new key knows it, and so is its signer from then on. A key of a person whose other key approves is left
 * to the operator: the tie between the two would be lost.
 *
 * @throws Refusal where the key has ended, approves, or is of a person with a key that does
 */
export async function requireRotatable(
  transaction: Transaction,
  registry: MerchantRegistry,
  clock: Clock,
  key: KeyRow,
): Promise<void> {
  if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= clock.now()))
    throw Refusal.ofField('key_id', 'key_ended', 'names a key whose time is over: create another one');
  const valid = await registry.validKeys(transaction, key.merchant_id);
  if (valid.some((other) => signerOf(other) === signerOf(key) && other.scopes.includes('approve')))
    throw Refusal.ofField(
      'key_id',
      'key_approves',
      'names a key that approves, or one of the same person: only your operator makes these',
    );
}
