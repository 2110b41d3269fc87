import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { deleteInBatches, retentionLoop } from '@stablecoin/background-work/retention';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { CustomerConfiguration } from '../customer.configuration';
import { PURGE_MARGIN_DAYS, retainedSince } from './retained-since';

const BATCH_ROWS = 1_000;

/**
 * Deletes old events with their deliveries, secrets that no longer sign, and deleted endpoints that no delivery refers
 * to. One instance at a time does so.
 */
@Injectable()
export class EventRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(EventRetention.name);
  private readonly loop = retentionLoop(
    (signal) => this.purge(signal),
    (error) => this.log.error({ msg: 'could not forget old events', err: error }),
  );

  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
    private readonly configuration: CustomerConfiguration,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  async purge(signal?: AbortSignal): Promise<void> {
    const before = retainedSince(this.clock.now(), this.configuration.eventRetentionDays + PURGE_MARGIN_DAYS);
    await deleteInBatches((limit) => this.purgeEvents(before, limit), signal);
    await this.purgeSecrets();
    await this.purgeEndpoints(before);
  }

  private async purgeEvents(before: Date, limit: number): Promise<number> {
    return this.database.$executeRaw`
      WITH turn AS MATERIALIZED (SELECT pg_try_advisory_xact_lock(hashtextextended('purge-events', 0)) AS is_mine)
      DELETE FROM events USING turn
      WHERE is_mine AND id IN (SELECT id FROM events WHERE created_at < ${before} LIMIT ${limit})`;
  }

  private async purgeSecrets(): Promise<void> {
    await this.database.$executeRaw`
      DELETE FROM webhook_secrets WHERE id IN (
        SELECT id FROM webhook_secrets WHERE expires_at <= ${this.clock.now()} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`;
  }

  /** Nothing is delivered to an endpoint after its deletion, so its last delivery went with its last event. */
  private async purgeEndpoints(before: Date): Promise<void> {
    await this.database.$executeRaw`
      DELETE FROM webhook_endpoints WHERE id IN (
        SELECT id FROM webhook_endpoints WHERE deleted_at < ${before} LIMIT ${BATCH_ROWS} FOR UPDATE SKIP LOCKED)`;
  }
}
