import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { BackgroundLoop } from '@stablecoin/background-work/background-loop';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { DEFAULT_QUOTA } from '@stablecoin/customer-store/merchants/merchant-quotas';
import { initializeSeries, readAtScrape } from '@stablecoin/telemetry/metrics/instruments';

/** It reads every merchant's uploads from an index: seldom, since quotas fill up in weeks. */
const COUNT_EVERY_MS = 600_000;

interface Figures {
  document_bytes: number;
  near_documents: number;
  near_document_bytes: number;
  near_webhook_endpoints: number;
}

/** How much is stored, and how many merchants come near their quotas. */
@Injectable()
export class StorageFigures implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(StorageFigures.name);
  private figures: Figures | undefined;
  private stopMeasuring: (() => void)[] = [];
  private readonly loop = new BackgroundLoop({
    pass: async () => {
      await this.count();
      return COUNT_EVERY_MS;
    },
    failed: (error) => {
      this.log.warn({ msg: 'could not count what is stored', err: error });
      return COUNT_EVERY_MS;
    },
  });

  constructor(private readonly database: CustomerDatabase) {}

  onApplicationBootstrap(): void {
    initializeSeries('storage_quota_refusals_total', {});
    this.loop.start();
    this.stopMeasuring = [
      readAtScrape('stored_document_bytes', () =>
        this.figures ? [{ labels: {}, value: this.figures.document_bytes }] : [],
      ),
      readAtScrape('merchants_near_quota', () =>
        this.figures
          ? [
              { labels: { quota: 'documents' }, value: this.figures.near_documents },
              { labels: { quota: 'document_bytes' }, value: this.figures.near_document_bytes },
              { labels: { quota: 'webhook_endpoints' }, value: this.figures.near_webhook_endpoints },
            ]
          : [],
      ),
    ];
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopMeasuring.forEach((stop) => stop());
    await this.loop.stop();
  }

  async count(): Promise<void> {
    const { documents, document_bytes, webhook_endpoints } = DEFAULT_QUOTA;
    const [figures] = await this.database.$queryRaw<[Figures]>`
      WITH stored AS (
        SELECT merchant_id, count(*) AS documents, sum(bytes) AS bytes FROM document_uploads GROUP BY merchant_id
      ), endpoints AS (
        SELECT merchant_id, count(*) AS endpoints FROM webhook_endpoints WHERE deleted_at IS NULL GROUP BY merchant_id
      )
      SELECT coalesce(sum(stored.bytes), 0)::float8 AS document_bytes,
        (count(*) FILTER (WHERE stored.documents >= 0.8 * coalesce(quota.documents, ${documents}::int)))::int AS near_documents,
        (count(*) FILTER (WHERE stored.bytes >= 0.8 * coalesce(quota.document_bytes, ${document_bytes}::bigint)))::int
          AS near_document_bytes,
        (count(*) FILTER (WHERE endpoints >= 0.8 * coalesce(quota.webhook_endpoints, ${webhook_endpoints}::int)))::int
          AS near_webhook_endpoints
      FROM stored FULL JOIN endpoints USING (merchant_id) LEFT JOIN merchant_quotas AS quota USING (merchant_id)`;
    this.figures = figures;
  }
}
