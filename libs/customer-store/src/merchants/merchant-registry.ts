import { createHash, randomUUID } from 'node:crypto';
import { CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { FeeSchedule } from '@stablecoin/money/fee';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Reads } from '@stablecoin/persistence/sql';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { Clock } from '../clock';
import { CustomerDatabase, Transaction } from '../customer-database';
import { ActedBy, recordAct, recordActBefore } from '../operator-acts/operator-acts';
import { PersonalData } from '../personal-data';
import { drawSerialNumber } from '../serial-number';
import { lockQuota, quotaOf } from './merchant-quotas';
import { DEFAULT_SCOPES, drawApiKey, hashApiKey } from './api-key';

export interface NewMerchant {
  name: string;
  email: string | null;
  mode: KeyMode;
  scopes: readonly ApiKeyScope[];
  /** From which the first key may be used; none, or left out: from everywhere. */
  allowedAddresses?: readonly string[];
  payoutFee: FeeSchedule | null;
}

/** A merchant's own personal data, the text of its sealed column. */
export interface MerchantProfile {
  name: string;
  email: string | null;
}

/** A key is named by its id, see `listKeys`, or by itself. */
export type NamedKey = { keyId: string } | { key: string };

export interface NewKey {
  scopes: readonly string[];
  /** Addresses, or networks as address/bits; none: it may be used from everywhere. */
  allowedAddresses: readonly string[];
  /** A key of the same person: neither approves what the other one has created. */
  samePersonAs?: string;
  /** Who made it at the console, where no other key says whose it is: that person approves nothing that it has created. */
  signerId?: string;
  /** As the merchant's people call it. */
  name?: string;
}

export interface KeyRotation {
  graceHours: number;
  scopes?: readonly ApiKeyScope[];
  /** The key that is replaced; left out only where the merchant has no other valid one. */
  named?: NamedKey;
  /** Who made it at the console; without it, who stands behind the replaced one. */
  signerId?: string;
}

export interface ListedApiKey {
  key_id: string;
  /** Null for one that an operator has made. */
  name: string | null;
  mode: string;
  scopes: string[];
  allowed_addresses: string[];
  /** Shared by the keys of one person. */
  signer_id: string;
  created_at: string;
  /** To about half a minute; null for a key that was never used, or not since uses are recorded. */
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export interface ListedMerchant {
  merchant_id: string;
  mode: string;
  created_at: string;
  /** Keys that are neither revoked nor expired. */
  valid_keys: number;
  last_used_at: string | null;
}

export interface DescribedMerchant {
  merchant_id: string;
  name: string;
  mode: KeyMode;
  shard: number;
}

export interface NamedMerchant extends ListedMerchant, MerchantProfile {}

export interface KeyRow {
  merchant_id: string;
  id: string;
  name: string | null;
  mode: string;
  scopes: string[];
  allowed_addresses: string[];
  signer_id: string | null;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

interface NewOwner {
  id: string;
  seal: OwnerSeal;
  wrappedKey: string;
}

interface MerchantRow extends Omit<ListedMerchant, 'created_at' | 'last_used_at'> {
  created_at: Date;
  last_used_at: Date | null;
  sealed_profile: string;
  wrapped_key: string;
}

const SANDBOX_MERCHANT: NewMerchant = {
  name: 'Sandbox merchant',
  email: 'sandbox@merchant.example',
  mode: 'test',
  scopes: DEFAULT_SCOPES,
  payoutFee: null,
};

/** A key can not be replaced: it gave its place away when it was replaced before, and there is no free one for another successor. */
export class KeyReplaced extends OperatorError {}

/** A key can not be replaced with time of grace: as many that were replaced still work as may be. */
export class TooManyReplaced extends OperatorError {}

const HOUR_MS = 3_600_000;
const LISTED_KEYS_MAX = 1_000;

/** How an act names a policy in the ledger's log. */
export interface StatedPolicy extends Readonly<Record<string, CanonicalValue>> {
  policy_version: number;
  stated_at: string;
  command_id: string;
}

/** Merchants and their API keys, as operators manage them. A key is given out once, when it is made. */
export class MerchantRegistry {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
    private readonly ledgerShards: number,
  ) {}

  async register(merchant: NewMerchant, by: ActedBy): Promise<{ merchant_id: string; api_key: string }> {
    const apiKey = drawApiKey(merchant.mode);
    const owner = await this.newOwner();
    const merchant_id = await this.database.$transaction(async (transaction) => {
      const { id, key_id } = await this.insert(transaction, merchant, apiKey, owner);
      const { mode, scopes, allowedAddresses = [], payoutFee } = merchant;
      const fee = payoutFee && { flat: payoutFee.flat, basis_points: payoutFee.basis_points };
      const details = { key_id, mode, scopes, allowed_addresses: allowedAddresses, payout_fee: fee };
      await recordAct(transaction, { action: 'merchants create', merchant_id: id, details }, by);
      return id;
    }, TRANSACTION_LIMITS);
    return { merchant_id, api_key: apiKey };
  }

  /** Makes the sandbox merchant unless its key is known; instances that start together make one. */
  async ensureSandboxMerchant(apiKey: string): Promise<void> {
    // Beside the client, whose engine a service that is idle does without (ADR 59).
    if (await isKnown(this.database, apiKey)) return;
    await this.database.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('sandbox-merchant', 0))`;
      if (!(await isKnown(transaction, apiKey)))
        await this.insert(transaction, SANDBOX_MERCHANT, apiKey, await this.newOwner());
    }, TRANSACTION_LIMITS);
  }

  /** Another key beside the merchant's own ones, which stay as they are; of the merchant's mode, see `KeyMode`. */
  async addKey(merchantId: string, key: NewKey, by: ActedBy) {
    return this.database.$transaction(
      (transaction) => this.addKeyWithin(transaction, merchantId, key, by),
      TRANSACTION_LIMITS,
    );
  }

  async addKeyWithin(transaction: Transaction, merchantId: string, key: NewKey, by: ActedBy) {
    const mode = await modeOf(transaction, merchantId);
    await this.requireRoomForKey(transaction, merchantId);
    const { samePersonAs } = key;
    const signerId =
      samePersonAs === undefined
        ? key.signerId
        : signerOf(await this.findKey(transaction, merchantId, { keyId: samePersonAs }));
    const added = await this.insertKey(transaction, merchantId, drawApiKey(mode), mode, { ...key, signerId });
    const { key_id, scopes, allowed_addresses } = added;
    const details = { key_id, scopes, allowed_addresses, same_person_as: samePersonAs };
    await recordAct(transaction, { action: 'merchants add-key', merchant_id: merchantId, details }, by);
    return { merchant_id: merchantId, ...added };
  }

  /**
   * Makes a new key in place of one, which stays valid for `graceHours`, or for less; the merchant's other keys stay as
   * they are. The new one has the allowed addresses of the one that it replaces, and its scopes, unless `scopes` is given.
   *
   * @throws KeyReplaced or TooManyReplaced where the merchant has no room for the new one
   */
  async rotateKey(merchantId: string, rotation: KeyRotation, by: ActedBy) {
    return this.database.$transaction(
      (transaction) => this.rotateKeyWithin(transaction, merchantId, rotation, by),
      TRANSACTION_LIMITS,
    );
  }

  async rotateKeyWithin(
    transaction: Transaction,
    merchantId: string,
    { graceHours, scopes, named, signerId }: KeyRotation,
    by: ActedBy,
  ) {
    await lockRotations(transaction, merchantId);
    const mode = await modeOf(transaction, merchantId);
    const replaced = named
      ? await this.validKey(transaction, merchantId, named)
      : await this.onlyValidKey(transaction, merchantId);
    await this.requireRoomForSuccessor(transaction, replaced, graceHours);
    const expiresAt = new Date(this.clock.now().getTime() + graceHours * HOUR_MS);
    await transaction.apiKey.updateMany({
      where: { id: replaced.id, OR: [{ expires_at: null }, { expires_at: { gt: expiresAt } }] },
      data: { expires_at: expiresAt },
    });
    const successor = {
      scopes: scopes ?? replaced.scopes,
      allowedAddresses: replaced.allowed_addresses,
      signerId: signerId ?? signerOf(replaced),
      name: replaced.name ?? undefined,
    };
    const key = await this.insertKey(transaction, merchantId, drawApiKey(mode), mode, successor);
    const expires = replaced.expires_at && replaced.expires_at < expiresAt ? replaced.expires_at : expiresAt;
    const details = {
      ...{ key_id: key.key_id, scopes: key.scopes, allowed_addresses: key.allowed_addresses },
      ...{ replaces: replaced.id, expires_at: expires.toISOString() },
    };
    await recordAct(transaction, { action: 'merchants rotate-key', merchant_id: merchantId, details }, by);
    return {
      ...{ merchant_id: merchantId, ...key },
      ...{ replaced_key_id: replaced.id, previous_keys_expire_at: expires.toISOString() },
    };
  }

  /** Revoking twice leaves the first time. */
  async revokeKey(merchantId: string, named: NamedKey, by: ActedBy) {
    return this.database.$transaction(
      (transaction) => this.revokeKeyWithin(transaction, merchantId, named, by),
      TRANSACTION_LIMITS,
    );
  }

  async revokeKeyWithin(transaction: Transaction, merchantId: string, named: NamedKey, by: ActedBy) {
    const { id } = await this.findKey(transaction, merchantId, named);
    await transaction.apiKey.updateMany({
      where: { id, revoked_at: null },
      data: { revoked_at: this.clock.now() },
    });
    const { revoked_at } = await transaction.apiKey.findUniqueOrThrow({ where: { id } });
    const act = { action: 'merchants revoke-key', merchant_id: merchantId, details: { key_id: id } };
    await recordAct(transaction, act, by);
    return { merchant_id: merchantId, key_id: id, revoked_at: revoked_at?.toISOString() ?? null };
  }

  /**
   * A rotation leaves the merchant within its quota, which the caller has locked. A key takes over the place of the one that it replaces.
   * One that was replaced before has given its place away, so that another successor needs a free one; and of those that still work for
   * their time of grace there are no more than the quota again.
   */
  private async requireRoomForSuccessor(transaction: Transaction, replaced: KeyRow, graceHours: number): Promise<void> {
    const wasReplaced = replaced.expires_at !== null;
    if (!wasReplaced && graceHours === 0) return;
    const valid = await this.countValidKeys(transaction, replaced.merchant_id);
    const { api_keys } = await quotaOf(transaction, replaced.merchant_id);
    if (wasReplaced && valid >= api_keys)
      throw new KeyReplaced(
        'The key was replaced before, and there is no room for another one: rotate the key that replaced it, or revoke one.',
      );
    if (valid >= 2 * api_keys)
      throw new TooManyReplaced(
        'The merchant has as many keys that were replaced and still work as may be: revoke one, or rotate with --grace-hours 0.',
      );
  }

  private async requireRoomForKey(transaction: Transaction, merchantId: string): Promise<void> {
    await lockQuota(transaction, merchantId);
    const { api_keys } = await quotaOf(transaction, merchantId);
    const valid = await this.countValidKeys(transaction, merchantId);
    if (valid >= api_keys)
      throw new OperatorError(
        `The merchant has ${valid} valid keys, and its quota is ${api_keys}: revoke one, or raise it with merchants set-quota.`,
      );
  }

  /** Where the ledger has the merchant's money. */
  async shardOf(merchantId: string): Promise<number> {
    const merchant = await this.database.merchant.findUnique({ where: { id: merchantId }, select: { shard: true } });
    if (!merchant) throw new OperatorError('There is no such merchant.');
    return merchant.shard;
  }

  /** For the backoffice, which keeps this of a merchant that has members. The caller puts it on the record. */
  async described(merchantId: string): Promise<DescribedMerchant> {
    const merchant = await this.database.merchant.findUnique({
      where: { id: merchantId },
      select: { shard: true, sealed_profile: true },
    });
    const owner = await this.database.dataKey.findUnique({ where: { owner_id: merchantId } });
    if (!merchant || !owner) throw new OperatorError('There is no such merchant.');
    const seal = await this.personalData.sealOf(merchantId, owner.wrapped_key);
    const { name } = seal.open<MerchantProfile>('profile', merchant.sealed_profile);
    const mode = await modeOf(this.database, merchantId);
    return { merchant_id: merchantId, name, mode, shard: merchant.shard };
  }

  /** Whose key it is, while it is valid. */
  async merchantOf(apiKey: string): Promise<string> {
    const key = await this.database.apiKey.findUnique({
      where: { key_hash: hashApiKey(apiKey) },
      select: { merchant_id: true, revoked_at: true },
    });
    if (!key || key.revoked_at) throw new OperatorError('No merchant has this API key.');
    return key.merchant_id;
  }

  /** On the record, before the ledger is asked. @param stated what the ledger is going to have of it */
  async recordPolicy(merchantId: string, policy: CanonicalValue, stated: StatedPolicy, by: ActedBy): Promise<void> {
    const act = { action: 'policies set', merchant_id: merchantId, details: { policy, ...stated } };
    await recordActBefore(this.database, act, by);
  }

  /** That the ledger did not take it, or has not answered: a policy that the record has and the log has not is kept back. */
  async recordPolicyEnd(
    merchantId: string,
    end: 'refused' | 'unanswered',
    command_id: string,
    by: ActedBy,
  ): Promise<void> {
    await recordActBefore(
      this.database,
      { action: `policies set ${end}`, merchant_id: merchantId, details: { command_id } },
      by,
    );
  }

  /** Merchants, oldest first, without what is personal about them. */
  async list(limit: number): Promise<ListedMerchant[]> {
    return (await this.merchantRows(limit)).map(listedMerchant);
  }

  /** The same with names and e-mail addresses, on the record. */
  async listNamed(limit: number, by: ActedBy): Promise<NamedMerchant[]> {
    await recordActBefore(this.database, { action: 'merchants list --personal-data' }, by);
    const rows = await this.merchantRows(limit);
    return Promise.all(
      rows.map(async (row) => {
        const seal = await this.personalData.sealOf(row.merchant_id, row.wrapped_key);
        const { name, email } = seal.open<MerchantProfile>('profile', row.sealed_profile);
        return { ...listedMerchant(row), name, email };
      }),
    );
  }

  private merchantRows(limit: number): Promise<MerchantRow[]> {
    return this.database.$queryRaw<MerchantRow[]>`
      SELECT merchants.id AS merchant_id, merchants.created_at, sealed_profile, wrapped_key, mode, valid_keys, last_used_at
      FROM merchants JOIN data_keys ON owner_id = merchants.id CROSS JOIN LATERAL (
        SELECT min(mode) AS mode, max(last_used_at) AS last_used_at,
          (count(*) FILTER (WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${this.clock.now()})))::int
            AS valid_keys
        FROM api_keys WHERE merchant_id = merchants.id) AS keys
      ORDER BY merchants.created_at, merchants.id LIMIT ${limit}`;
  }

  async listKeys(merchantId: string): Promise<ListedApiKey[]> {
    const keys = await this.database.apiKey.findMany({
      where: { merchant_id: merchantId },
      orderBy: { created_at: 'desc' },
      take: LISTED_KEYS_MAX,
    });
    if (keys.length === 0) throw new OperatorError('There is no such merchant.');
    return keys.map(listedKey);
  }

  private async newOwner(): Promise<NewOwner> {
    const id = randomUUID();
    return { id, ...(await this.personalData.newOwner(id)) };
  }

  private async insert(
    transaction: Transaction,
    merchant: NewMerchant,
    apiKey: string,
    { id, seal, wrappedKey }: NewOwner,
  ) {
    const now = this.clock.now();
    const profile: MerchantProfile = { name: merchant.name, email: merchant.email };
    await transaction.dataKey.create({ data: { owner_id: id, wrapped_key: wrappedKey } });
    await transaction.merchant.create({
      data: {
        id,
        sn: drawSerialNumber(),
        shard: shardOf(id, this.ledgerShards),
        sealed_profile: seal.seal('profile', profile),
        payout_fee_flat: merchant.payoutFee?.flat ?? null,
        payout_fee_basis_points: merchant.payoutFee?.basis_points ?? null,
        created_at: now,
        updated_at: now,
      },
      select: { id: true },
    });
    const { mode, scopes, allowedAddresses = [] } = merchant;
    const { key_id } = await this.insertKey(transaction, id, apiKey, mode, { scopes, allowedAddresses });
    return { id, key_id };
  }

  private async insertKey(
    transaction: Transaction,
    merchantId: string,
    apiKey: string,
    mode: KeyMode,
    { scopes, allowedAddresses, signerId, name }: NewKey,
  ) {
    const key_id = randomUUID();
    await transaction.apiKey.create({
      data: {
        id: key_id,
        merchant_id: merchantId,
        key_hash: hashApiKey(apiKey),
        mode,
        scopes: [...scopes],
        allowed_addresses: [...allowedAddresses],
        created_at: this.clock.now(),
        signer_id: signerId ?? null,
        name: name ?? null,
      },
      select: { id: true },
    });
    return { key_id, api_key: apiKey, scopes: [...scopes], allowed_addresses: [...allowedAddresses] };
  }

  /** Newest first. */
  validKeys(transaction: Transaction, merchantId: string): Promise<KeyRow[]> {
    return transaction.apiKey.findMany({
      where: this.areValid(merchantId),
      orderBy: { created_at: 'desc' },
      take: LISTED_KEYS_MAX,
    });
  }

  private countValidKeys(transaction: Transaction, merchantId: string): Promise<number> {
    return transaction.apiKey.count({ where: this.areValid(merchantId) });
  }

  private areValid(merchant_id: string) {
    return { merchant_id, revoked_at: null, OR: [{ expires_at: null }, { expires_at: { gt: this.clock.now() } }] };
  }

  /** Which key a rotation replaces that names none; of several, an operator has to choose. */
  private async onlyValidKey(transaction: Transaction, merchantId: string): Promise<KeyRow> {
    const keys = await this.validKeys(transaction, merchantId);
    const [only, ...others] = keys;
    if (!only) throw new OperatorError('The merchant has no valid key: there is nothing to rotate, add a key instead.');
    if (others.length > 0) {
      const lines = keys.map(listedKey).map(({ key_id, scopes, last_used_at, expires_at }) => {
        const end = expires_at === null ? '' : `, expires ${expires_at}`;
        return `  ${key_id}  ${scopes.join(',')}, ${last_used_at === null ? 'never used' : `last used ${last_used_at}`}${end}`;
      });
      throw new OperatorError(
        `The merchant has ${keys.length} valid keys: say with --key-id which one to replace.\n${lines.join('\n')}`,
      );
    }
    return only;
  }

  private async findKey(database: Transaction, merchantId: string, named: NamedKey) {
    const where = 'key' in named ? { key_hash: hashApiKey(named.key) } : { id: named.keyId };
    const key = await database.apiKey.findFirst({ where: { merchant_id: merchantId, ...where } });
    if (key) return key;
    const merchant = await database.merchant.findUnique({ where: { id: merchantId }, select: { id: true } });
    throw new OperatorError(merchant ? 'The merchant has no such key.' : 'There is no such merchant.');
  }

  private async validKey(transaction: Transaction, merchantId: string, named: NamedKey) {
    const key = await this.findKey(transaction, merchantId, named);
    const hasEnded = key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= this.clock.now());
    if (hasEnded) throw new OperatorError('The key has ended: there is nothing to rotate, add a key instead.');
    return key;
  }
}

function listedKey(key: KeyRow): ListedApiKey {
  return {
    key_id: key.id,
    name: key.name,
    mode: key.mode,
    scopes: key.scopes,
    allowed_addresses: key.allowed_addresses,
    signer_id: signerOf(key),
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
  };
}

function listedMerchant({ merchant_id, mode, created_at, valid_keys, last_used_at }: MerchantRow): ListedMerchant {
  const [createdAt, lastUsedAt] = [created_at.toISOString(), last_used_at?.toISOString() ?? null];
  return { merchant_id, mode, created_at: createdAt, valid_keys, last_used_at: lastUsedAt };
}

/** Who stands behind a key. */
export const signerOf = ({ id, signer_id }: Pick<KeyRow, 'id' | 'signer_id'>): string => signer_id ?? id;

/** Spreads merchants evenly; drawn once, then stored. */
export function shardOf(merchantId: string, shards: number): number {
  return createHash('sha256').update(merchantId).digest().readUInt32BE(0) % shards;
}

/** All keys of a merchant have one mode, which is the merchant's. */
export async function modeOf(transaction: Transaction, merchantId: string): Promise<KeyMode> {
  const key = await transaction.apiKey.findFirst({ where: { merchant_id: merchantId }, select: { mode: true } });
  // A merchant is made together with its first key.
  if (!key) throw new OperatorError('There is no such merchant.');
  return key.mode as KeyMode;
}

/**
 * Of two rotations at once the second one sees the key that the first one made. An instance of the version before takes no lock of quotas
 * for a rotation, and that of the merchant's row in its place: beside one both are needed. With the version after this one the row's goes.
 */
export async function lockRotations(transaction: Transaction, merchantId: string): Promise<void> {
  await lockQuota(transaction, merchantId);
  await transaction.$queryRaw`SELECT 1 FROM merchants WHERE id = ${merchantId}::uuid FOR UPDATE`;
}

async function isKnown(sql: Reads, apiKey: string): Promise<boolean> {
  const found = await sql.$queryRaw<unknown[]>`SELECT 1 FROM api_keys WHERE key_hash = ${hashApiKey(apiKey)}`;
  return found.length > 0;
}
