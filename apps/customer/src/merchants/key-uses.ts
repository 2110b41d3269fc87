import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';

const WRITE_EVERY_MS = 20_000;
const BATCH_ROWS = 1_000;
/** Keys that were used since the last write; further ones are written when they are looked up again. */
const KEYS_MAX = 20_000;

/**
 * When each key was last used: as it is looked up, which a gateway does for a key in use every ten seconds. Written in
 * batches beside the requests, which wait for none of it, so that `last_used_at` is right to about half a minute. What
 * can't be written is tried again with the next batch, and lost with the process.
 */
@Injectable()
export class KeyUses implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(KeyUses.name);
  private readonly used = new Map<string, Date>();
  private readonly loop = new BackgroundLoop({
    pass: async () => {
      await this.write();
      return WRITE_EVERY_MS;
    },
    failed: (error) => {
      this.log.warn({ msg: 'could not write when keys were last used', err: error });
      return WRITE_EVERY_MS;
    },
    firstPauseMs: WRITE_EVERY_MS,
  });

  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.write().catch((error: unknown) => this.log.warn({ msg: 'the last uses of keys are lost', err: error }));
  }

  note(keyId: string): void {
    if (this.used.size < KEYS_MAX || this.used.has(keyId)) this.used.set(keyId, this.clock.now());
  }

  async write(): Promise<void> {
    while (this.used.size > 0) {
      const batch = [...this.used].slice(0, BATCH_ROWS);
      const [ids, moments] = [batch.map(([id]) => id), batch.map(([, usedAt]) => usedAt)];
      // Locked in one order: another instance writes its own uses of the same keys.
      await this.database.$executeRaw`
        WITH used AS (SELECT * FROM unnest(${ids}::uuid[], ${moments}::timestamptz[]) AS used (id, used_at)),
          locked AS (SELECT key.id FROM api_keys AS key JOIN used USING (id) ORDER BY key.id FOR UPDATE OF key)
        UPDATE api_keys SET last_used_at = used_at FROM used JOIN locked USING (id)
        WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used_at)`;
      for (const [id, usedAt] of batch) if (this.used.get(id) === usedAt) this.used.delete(id);
    }
  }
}
