import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerConfiguration } from '../customer.configuration';
import { PURGE_MARGIN_DAYS, retainedSince } from './retained-since';

const EVERY_MS = 60_000;
const BATCH = 1_000;
const MAX_BATCHES = 50;

/**
 * Forgets old events with their deliveries, secrets that no longer sign, and deleted endpoints that nothing names any
 * more. Once a minute, in batches, at most MAX_BATCHES of them, so that no statement holds much for long; of
 * several instances one does it at a time.
 */
@Injectable()
export class EventRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(EventRetention.name);
  private timer: NodeJS.Timeout | undefined;
  private purging: Promise<void> = Promise.resolve();
  private stopped = false;

  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
    private readonly configuration: CustomerConfiguration,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.purging = this.purging.then(() => this.purge()).catch((error: unknown) => this.tell(error));
    }, EVERY_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.purging;
  }

  async purge(): Promise<void> {
    const before = retainedSince(this.clock.now(), this.configuration.eventRetentionDays + PURGE_MARGIN_DAYS);
    for (let batch = 0; batch < MAX_BATCHES && !this.stopped; batch += 1) {
      if ((await this.purgeEvents(before)) < BATCH) break;
    }
    await this.purgeSecrets();
    await this.purgeEndpoints(before);
  }

  private async purgeEvents(before: Date): Promise<number> {
    return this.database.$executeRaw`
      WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(hashtextextended('purge-events', 0)) AS is_mine)
      DELETE FROM events USING turn
      WHERE is_mine AND id IN (SELECT id FROM events WHERE created_at < ${before} LIMIT ${BATCH})`;
  }

  private async purgeSecrets(): Promise<void> {
    await this.database.$executeRaw`
      DELETE FROM webhook_secrets WHERE id IN (
        SELECT id FROM webhook_secrets WHERE expires_at <= ${this.clock.now()} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;
  }

  /** Nothing is delivered to an endpoint after its deletion, so its last delivery went with its last event. */
  private async purgeEndpoints(before: Date): Promise<void> {
    await this.database.$executeRaw`
      DELETE FROM webhook_endpoints WHERE id IN (
        SELECT id FROM webhook_endpoints WHERE deleted_at < ${before} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;
  }

  private tell(error: unknown): void {
    this.log.error({ msg: 'could not forget old events', err: error });
  }
}
