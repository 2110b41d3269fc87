import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { ScopeAtConsole, SCOPES_AT_CONSOLE } from '@stablecoin/contracts/customer/api-key-views';
import { RotateApiKey } from '@stablecoin/contracts/customer/rotate-api-key';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Clock } from '@stablecoin/customer-store/clock';
import { Transaction } from '@stablecoin/customer-store/customer-database';
import { lockQuota, quotaOf } from '@stablecoin/customer-store/merchants/merchant-quotas';
import {
  KeyReplaced,
  KeyRow,
  lockRotations,
  MerchantRegistry,
  signerOf,
  TooManyReplaced,
} from '@stablecoin/customer-store/merchants/merchant-registry';
import { refusedAs } from '../refused-as';

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
 * to the operator: the tie between the two would be lost. Of two rotations of one key at once the second one is decided by what
 * the first one has made of it.
 *
 * @throws Refusal where the key has ended, approves, or is of a person with a key that does
 */
export async function requireRotatable(
  transaction: Transaction,
  registry: MerchantRegistry,
  clock: Clock,
  { merchant_id, key_id }: Pick<RotateApiKey, 'merchant_id' | 'key_id'>,
): Promise<void> {
  await lockRotations(transaction, merchant_id);
  const key = await findKey(transaction, merchant_id, key_id);
  if (key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= clock.now()))
    throw Refusal.ofField('key_id', 'key_ended', 'names a key whose time is over: create another one');
  const valid = await registry.validKeys(transaction, merchant_id);
  if (valid.some((other) => signerOf(other) === signerOf(key) && other.scopes.includes('approve')))
    throw Refusal.ofField(
      'key_id',
      'key_approves',
      'names a key that approves, or one of the same person: only your operator makes these',
    );
}

/** A rotation by the store. @throws Refusal where the merchant's quota has no room for the new key */
export const withinQuota = <Rotated>(rotate: () => Promise<Rotated>): Promise<Rotated> =>
  refusedAs(KeyReplaced, keyReplaced, () => refusedAs(TooManyReplaced, tooManyReplaced, rotate));

const tooManyReplaced = () =>
  Refusal.ofField(
    'grace_hours',
    'too_many',
    'keeps one more replaced key than may be: make it 0, or revoke one that was replaced',
  );
const keyReplaced = () =>
  Refusal.ofField(
    'key_id',
    'key_replaced',
    'names a key that was replaced, and you have as many as may be: rotate the one that replaced it, or revoke one first',
  );
