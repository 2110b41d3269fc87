import { createHash, randomUUID } from 'node:crypto';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { FeeSchedule } from '@stablecoin/money/fee';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Clock } from '../clock';
import { CustomerDatabase, Transaction } from '../persistence/customer-database';
import { PersonalData } from '../persistence/personal-data';
import { drawSerialNumber } from '../persistence/serial-number';
import { API_KEY_SCOPES, drawApiKey, hashApiKey } from './api-key';

export interface NewMerchant {
  name: string;
  email: string | null;
  mode: KeyMode;
  scopes: readonly ApiKeyScope[];
  payoutFee: FeeSchedule | null;
}

/** A merchant's own personal data, the text of its sealed column. */
export interface MerchantProfile {
  name: string;
  email: string | null;
}

export interface ListedApiKey {
  key_id: string;
  mode: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}

/** The operator asked for something that isn't there or can't be: told in one line. */
export class MerchantRegistryError extends Error {}

const SANDBOX_MERCHANT: NewMerchant = {
  name: 'Sandbox merchant',
  email: 'sandbox@merchant.example',
  mode: 'test',
  scopes: API_KEY_SCOPES,
  payoutFee: null,
};
const HOUR_MS = 3_600_000;
const MAX_LISTED_KEYS = 1_000;

/** Merchants and their API keys, as operators manage them. A key is given out once, when it is made. */
export class MerchantRegistry {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
    private readonly ledgerShards: number,
  ) {}

  async register(merchant: NewMerchant): Promise<{ merchant_id: string; api_key: string }> {
    const apiKey = drawApiKey(merchant.mode);
    const merchant_id = await this.database.$transaction(
      (transaction) => this.insert(transaction, merchant, apiKey),
      TRANSACTION_LIMITS,
    );
    return { merchant_id, api_key: apiKey };
  }

  /** Makes the sandbox merchant unless its key is known; instances that start together make one. */
  async ensureSandboxMerchant(apiKey: string): Promise<void> {
    await this.database.$transaction(async (transaction) => {
      await transaction.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('sandbox-merchant', 0))`;
      const known = await transaction.apiKey.findUnique({
        where: { key_hash: hashApiKey(apiKey) },
        select: { id: true },
      });
      if (!known) await this.insert(transaction, SANDBOX_MERCHANT, apiKey);
    }, TRANSACTION_LIMITS);
  }

  /** A new key of the same mode and scopes as the newest; the others stay valid for `graceHours`, or for less. */
  async rotateKey(merchantId: string, graceHours: number) {
    const apiKey = drawApiKey('test');
    return this.database.$transaction(async (transaction) => {
      // Held, so that of two rotations at once the second one also ends the key that the first one made.
      await transaction.$queryRaw`SELECT 1 FROM merchants WHERE id = ${merchantId}::uuid FOR UPDATE`;
      const newest = await transaction.apiKey.findFirst({
        where: { merchant_id: merchantId },
        orderBy: [{ revoked_at: { sort: 'asc', nulls: 'first' } }, { created_at: 'desc' }],
      });
      if (!newest) throw new MerchantRegistryError('There is no such merchant.');
      const now = this.clock.now();
      const expiresAt = new Date(now.getTime() + graceHours * HOUR_MS);
      await transaction.apiKey.updateMany({
        where: { merchant_id: merchantId, OR: [{ expires_at: null }, { expires_at: { gt: expiresAt } }] },
        data: { expires_at: expiresAt },
      });
      const key = newest.mode === 'live' ? apiKey.replace(/^sk_test_/, 'sk_live_') : apiKey;
      await this.insertKey(transaction, merchantId, key, newest.mode, newest.scopes, now);
      return { merchant_id: merchantId, api_key: key, previous_keys_expire_at: expiresAt.toISOString() };
    }, TRANSACTION_LIMITS);
  }

  /** Revoking twice leaves the first time. */
  async revokeKey(merchantId: string, named: { keyId: string } | { key: string }) {
    const where = 'key' in named ? { key_hash: hashApiKey(named.key) } : { id: named.keyId };
    const key = await this.database.apiKey.findFirst({ where: { merchant_id: merchantId, ...where } });
    if (!key) throw new MerchantRegistryError('The merchant has no such key.');
    await this.database.apiKey.updateMany({
      where: { id: key.id, revoked_at: null },
      data: { revoked_at: this.clock.now() },
    });
    const { revoked_at } = await this.database.apiKey.findUniqueOrThrow({ where: { id: key.id } });
    return { merchant_id: merchantId, key_id: key.id, revoked_at: revoked_at?.toISOString() ?? null };
  }

  async listKeys(merchantId: string): Promise<ListedApiKey[]> {
    const keys = await this.database.apiKey.findMany({
      where: { merchant_id: merchantId },
      orderBy: { created_at: 'desc' },
      take: MAX_LISTED_KEYS,
    });
    // A merchant is made together with its first key.
    if (keys.length === 0) throw new MerchantRegistryError('There is no such merchant.');
    return keys.map((key) => ({
      key_id: key.id,
      mode: key.mode,
      scopes: key.scopes,
      created_at: key.created_at.toISOString(),
      expires_at: key.expires_at?.toISOString() ?? null,
      revoked_at: key.revoked_at?.toISOString() ?? null,
    }));
  }

  private async insert(transaction: Transaction, merchant: NewMerchant, apiKey: string): Promise<string> {
    const id = randomUUID();
    const now = this.clock.now();
    const { seal, wrappedKey } = this.personalData.newOwner(id);
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
    await this.insertKey(transaction, id, apiKey, merchant.mode, merchant.scopes, now);
    return id;
  }

  private async insertKey(
    transaction: Transaction,
    merchantId: string,
    apiKey: string,
    mode: string,
    scopes: readonly string[],
    now: Date,
  ): Promise<void> {
    await transaction.apiKey.create({
      data: {
        id: randomUUID(),
        merchant_id: merchantId,
        key_hash: hashApiKey(apiKey),
        mode,
        scopes: [...scopes],
        created_at: now,
      },
      select: { id: true },
    });
  }
}

/** Spreads merchants evenly; drawn once, then stored. */
export function shardOf(merchantId: string, shards: number): number {
  return createHash('sha256').update(merchantId).digest().readUInt32BE(0) % shards;
}
