/**
 * Seals the URLs of webhooks that the version before wrote in clear, and answers that were stored with one in them, while the services
 * go on: from now on they write sealed URLs alone → what began before is waited for → batch after batch is sealed where it still is
 * what was read. An interrupted run is repeated; what is done is done.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { CustomerDatabase } from '../customer-database';
import { Progress } from '../progress';
import { PersonalData } from '../personal-data';
import { sealAnswer, sealUrl } from './webhook-url';

const BATCH_ROWS = 200;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const TRANSACTION_MS = TRANSACTION_LIMITS.maxWait + TRANSACTION_LIMITS.timeout;

interface ClearRow {
  id: string;
  merchant_id: string;
  wrapped_key: string;
  clear: string;
}

export interface SealedUrls {
  urls: number;
  answers: number;
}

export class UrlSealing {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    /** The longest that a request which began before may still write. */
    private readonly waitMs = TRANSACTION_MS,
  ) {}

  async run(progress: Progress): Promise<SealedUrls> {
    const begun = await this.database
      .$executeRaw`INSERT INTO webhook_url_sealing DEFAULT VALUES ON CONFLICT DO NOTHING`;
    if (begun > 0) await delay(this.waitMs);
    progress.begin(0);
    const urls = await this.all(
      progress,
      (last) => this.urlsAfter(last),
      (row) => this.sealEndpoint(row),
    );
    const answers = await this.all(
      progress,
      (last) => this.answersAfter(last),
      (row) => this.sealAnswer(row),
    );
    progress.end();
    return { urls, answers };
  }

  private async all(
    progress: Progress,
    after: (last: string) => Promise<ClearRow[]>,
    seal: (row: ClearRow) => Promise<number>,
  ): Promise<number> {
    let sealed = 0;
    for (let rows = await after(BEFORE_ALL); rows.length > 0; rows = await after(rows.at(-1)?.id as string)) {
      for (const row of rows) sealed += await seal(row);
      progress.add(rows.length);
    }
    return sealed;
  }

  private urlsAfter(last: string): Promise<ClearRow[]> {
    return this.database.$queryRaw<ClearRow[]>`
      SELECT id::text, merchant_id::text, wrapped_key, url AS clear
      FROM webhook_endpoints JOIN data_keys ON owner_id = merchant_id
      WHERE id > ${last}::uuid AND url IS NOT NULL ORDER BY id LIMIT ${BATCH_ROWS}`;
  }

  private answersAfter(last: string): Promise<ClearRow[]> {
    return this.database.$queryRaw<ClearRow[]>`
      SELECT command_id::text AS id, merchant_id::text, wrapped_key, result AS clear
      FROM command_results JOIN data_keys ON owner_id = merchant_id
      WHERE command_id > ${last}::uuid AND result LIKE '%"url":"%' ORDER BY command_id LIMIT ${BATCH_ROWS}`;
  }

  private async sealEndpoint({ id, merchant_id, wrapped_key, clear }: ClearRow): Promise<number> {
    const { sealed_url } = sealUrl(await this.personalData.sealOf(merchant_id, wrapped_key), id, clear);
    return this.database.$executeRaw`
      UPDATE webhook_endpoints SET url = NULL, sealed_url = ${sealed_url} WHERE id = ${id}::uuid AND url = ${clear}`;
  }

  private async sealAnswer({ id, merchant_id, wrapped_key, clear }: ClearRow): Promise<number> {
    const seal = await this.personalData.sealOf(merchant_id, wrapped_key);
    const sealed = JSON.stringify(sealAnswer(seal, id, JSON.parse(clear)));
    return this.database.$executeRaw`
      UPDATE command_results SET result = ${sealed} WHERE command_id = ${id}::uuid AND result = ${clear}`;
  }
}
