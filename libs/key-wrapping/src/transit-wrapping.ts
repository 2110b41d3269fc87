import { createDataKey } from '@stablecoin/personal-data/data-key';
import { KEY_BYTES } from '@stablecoin/personal-data/key-bytes';
import { DataKeyUnreadable } from '@stablecoin/personal-data/master-keys';
import { LRUCache } from 'lru-cache';
import { KeyWrapping } from './key-wrapping';
import { TransitClient, TransitItemRefused } from './transit-client';

const WRAPPED_THERE = /^vault:v(\d{1,9}):/;
const CACHED_MAX = 10_000;
/** Owners that there are none of. */
const PROBE = 'probe';
const OTHER_PROBE = 'another-probe';
const UNBOUND =
  'The key management service opens a data key for another owner than it was wrapped for: its key must be of the type ' +
  'aes256-gcm96 or another AEAD cipher';

/**
 * The master key of a key management service that speaks as Vault's Transit engine does. Each data key is bound to its
 * owner there, both as the context of a derived key and as associated data, so that a key of either kind does.
 *
 * Opened keys are kept for a while: the caller that asks for one brings its wrapped text, which an erasure deletes.
 */
export class TransitWrapping extends KeyWrapping {
  private readonly opened: LRUCache<string, Buffer> | undefined;
  private readonly opening = new Map<string, Promise<Buffer>>();
  private isBound: Promise<void> | undefined;
  /** The newest version of the key. */
  private learning: Promise<number> | undefined;

  constructor(
    private readonly transit: TransitClient,
    cacheMs: number,
  ) {
    super();
    this.opened = cacheMs === 0 ? undefined : new LRUCache({ max: CACHED_MAX, ttl: cacheMs });
  }

  recognises(wrapped: string): boolean {
    return WRAPPED_THERE.test(wrapped);
  }

  async wrap(dataKey: Buffer, ownerId: string): Promise<string> {
    if (dataKey.length !== KEY_BYTES) throw new Error(`A data key has ${KEY_BYTES} bytes`);
    await this.requireBinding();
    const wrapped = await this.transit.encrypt(dataKey, contextOf(ownerId));
    if (!this.recognises(wrapped)) throw new Error('The key management service answers a ciphertext of another kind');
    this.opened?.set(nameOf(wrapped, ownerId), dataKey);
    return wrapped;
  }

  async unwrap(wrapped: string, ownerId: string): Promise<Buffer> {
    const name = nameOf(wrapped, ownerId);
    const known = this.opened?.get(name) ?? this.opening.get(name);
    if (known) return known;
    const opening = this.open(wrapped, ownerId).finally(() => this.opening.delete(name));
    this.opening.set(name, opening);
    const dataKey = await opening;
    this.opened?.set(name, dataKey);
    return dataKey;
  }

  async rewrap(wrapped: string, ownerId: string): Promise<string | undefined> {
    const [dataKey, current] = await Promise.all([this.unwrap(wrapped, ownerId), this.currentVersion()]);
    return versionOf(wrapped) >= current ? undefined : this.wrap(dataKey, ownerId);
  }

  async check({ wraps }: { wraps: boolean }): Promise<string | undefined> {
    if (wraps) await this.wrap(createDataKey(), PROBE);
    return this.transit.answers ? undefined : 'did not answer when it was asked last';
  }

  /** Only an encryption tells it. */
  private async currentVersion(): Promise<number> {
    this.learning ??= this.wrap(createDataKey(), PROBE).then(versionOf);
    try {
      return await this.learning;
    } catch (error) {
      this.learning = undefined;
      throw error;
    }
  }

  /**
   * A key of the service that is neither derived nor of an AEAD cipher ignores whose a data key is, without a word: then
   * one customer's would open another's data in the rows of a forger. So nothing is wrapped before this was tried out.
   */
  private async requireBinding(): Promise<void> {
    this.isBound ??= (async () => {
      const probe = await this.transit.encrypt(createDataKey(), contextOf(PROBE));
      const opens = await this.transit.decrypt(probe, contextOf(OTHER_PROBE)).then(
        () => true,
        (error: unknown) => {
          if (error instanceof TransitItemRefused) return false;
          throw error;
        },
      );
      if (opens) throw new Error(UNBOUND);
    })();
    try {
      await this.isBound;
    } catch (error) {
      this.isBound = undefined;
      throw error;
    }
  }

  private async open(wrapped: string, ownerId: string): Promise<Buffer> {
    if (!this.recognises(wrapped)) throw new DataKeyUnreadable();
    try {
      const dataKey = await this.transit.decrypt(wrapped, contextOf(ownerId));
      if (dataKey.length === KEY_BYTES) return dataKey;
    } catch (error) {
      if (!(error instanceof TransitItemRefused)) throw error;
    }
    throw new DataKeyUnreadable();
  }
}

const contextOf = (ownerId: string): string => `data-key:${ownerId}`;
const nameOf = (wrapped: string, ownerId: string): string => `${ownerId} ${wrapped}`;
const versionOf = (wrapped: string): number => Number(WRAPPED_THERE.exec(wrapped)?.[1]);
