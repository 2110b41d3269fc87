import { createHash, randomUUID } from 'node:crypto';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { FeeSchedule } from '@stablecoin/money/fee';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Clock } from '../clock';
import { CustomerDatabase, Transaction } from '../customer-database';
import { PersonalData } from '../personal-data';
import { drawSerialNumber } from '../serial-number';
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

/** A key is named by its id, see `listKeys`, or by itself. */
export type NamedKey = { keyId: string } | { key: string };

export interface KeyRotation {
  graceHours: number;
  scopes?: readonly ApiKeyScope[];
  /** Replaces this key only. */
  named?: NamedKey;
}

export interface ListedApiKey {
  key_id: string;
  mode: string;
  scopes: string[];
  created_at: string;
  expires_at: string | null;
  revoked_at: string | null;
}

const SANDBOX_MERCHANT: NewMerchant = {
  name: 'Sandbox merchant',
  email: 'sandbox@merchant.example',
  mode: 'test',
  scopes: API_KEY_SCOPES,
  payoutFee: null,
};
const HOUR_MS = 3_600_000;
const LISTED_KEYS_MAX = 1_000;

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

  /** Another key beside the merchant's own ones, which stay as they are; of the merchant's mode, see `KeyMode`. */
  async addKey(merchantId: string, scopes: readonly ApiKeyScope[]) {
    return this.database.$transaction(async (transaction) => {
      const { mode } = await this.newestKey(transaction, merchantId);
      const added = await this.insertKey(transaction, merchantId, drawApiKey(mode), mode, scopes);
      return { merchant_id: merchantId, ...added };
    }, TRANSACTION_LIMITS);
  }

  /**
   * Makes a new key in place of the named one, or of all of the merchant's. Replaced keys stay valid for `graceHours`,
   * or for less; the new one has the scopes of the named or the newest key, unless `scopes` is given.
   */
  async rotateKey(merchantId: string, { graceHours, scopes, named }: KeyRotation) {
    return this.database.$transaction(async (transaction) => {
      // Held, so that of two rotations at once the second one also ends the key that the first one made.
      await transaction.$queryRaw`SELECT 1 FROM merchants WHERE id = ${merchantId}::uuid FOR UPDATE`;
      const newest = await this.newestKey(transaction, merchantId);
      const replaced = named ? await this.validKey(transaction, merchantId, named) : newest;
      const expiresAt = new Date(this.clock.now().getTime() + graceHours * HOUR_MS);
      await transaction.apiKey.updateMany({
        where: {
          merchant_id: merchantId,
          ...(named && { id: replaced.id }),
          OR: [{ expires_at: null }, { expires_at: { gt: expiresAt } }],
        },
        data: { expires_at: expiresAt },
      });
      const { mode } = newest;
      const key = await this.insertKey(transaction, merchantId, drawApiKey(mode), mode, scopes ?? replaced.scopes);
      return { merchant_id: merchantId, ...key, previous_keys_expire_at: expiresAt.toISOString() };
    }, TRANSACTION_LIMITS);
  }

  /** Revoking twice leaves the first time. */
  async revokeKey(merchantId: string, named: NamedKey) {
    const { id } = await this.findKey(this.database, merchantId, named);
    await this.database.apiKey.updateMany({
      where: { id, revoked_at: null },
      data: { revoked_at: this.clock.now() },
    });
    const { revoked_at } = await this.database.apiKey.findUniqueOrThrow({ where: { id } });
    return { merchant_id: merchantId, key_id: id, revoked_at: revoked_at?.toISOString() ?? null };
  }

  async listKeys(merchantId: string): Promise<ListedApiKey[]> {
    const keys = await this.database.apiKey.findMany({
      where: { merchant_id: merchantId },
      orderBy: { created_at: 'desc' },
      take: LISTED_KEYS_MAX,
    });
    if (keys.length === 0) throw new OperatorError('There is no such merchant.');
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
    await this.insertKey(transaction, id, apiKey, merchant.mode, merchant.scopes);
    return id;
  }

  private async insertKey(
    transaction: Transaction,
    merchantId: string,
    apiKey: string,
    mode: KeyMode,
    scopes: readonly string[],
  ) {
    const key_id = randomUUID();
    await transaction.apiKey.create({
      data: {
        id: key_id,
        merchant_id: merchantId,
        key_hash: hashApiKey(apiKey),
        mode,
        scopes: [...scopes],
        created_at: this.clock.now(),
      },
      select: { id: true },
    });
    return { key_id, api_key: apiKey, scopes: [...scopes] };
  }

  /** The newest one that was not revoked, else the newest of all: it tells the merchant's mode. */
  private async newestKey(transaction: Transaction, merchantId: string) {
    const newest = await transaction.apiKey.findFirst({
      where: { merchant_id: merchantId },
      orderBy: [{ revoked_at: { sort: 'asc', nulls: 'first' } }, { created_at: 'desc' }],
    });
    // A merchant is made together with its first key.
    if (!newest) throw new OperatorError('There is no such merchant.');
    return { ...newest, mode: newest.mode as KeyMode };
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

/** Spreads merchants evenly; drawn once, then stored. */
export function shardOf(merchantId: string, shards: number): number {
  return createHash('sha256').update(merchantId).digest().readUInt32BE(0) % shards;
}
