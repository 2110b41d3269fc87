/**
 * Makes every customer's fingerprints anew after the blind index key has changed: a batch of customers is read → each
 * profile is opened, and its e-mail address and phone number fingerprinted with the new key → what differs is written. Only
 * while no customer service runs: what is unique is decided by fingerprints, and of one address there must not be two. Each
 * batch is a commit of its own, and what is right already is left alone, so an interrupted run is simply repeated. Uploads that
 * no customer has attached yet are known by fingerprints too: those of whole ones are made anew from their content. One that
 * lacks parts belongs to a request that ended when the service was stopped; it is deleted, since that request sends it again.
 */
import { createHash } from 'node:crypto';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { CustomerDatabase } from '../customer-database';
import { CustomerProfile } from '../customers/customer-profile';
import { PROFILE } from '../customers/customer-record';
import { openParts } from '../documents/sealed-content';
import { PersonalData } from '../personal-data';
import { Progress } from '../progress';

const BATCH_ROWS = 500;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

interface IndexedRow {
  id: string;
  merchant_id: string;
  sealed_profile: string;
  wrapped_key: string;
  email_index: string;
  phone_index: string;
}

interface WholeUpload {
  id: string;
  wrapped_key: string;
  digest_index: string;
}

type Fingerprints = Pick<IndexedRow, 'id' | 'email_index' | 'phone_index'>;

export interface Reindexed {
  total: number;
  reindexed: number;
}

export class Reindexing {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
  ) {}

  async run(progress: Progress): Promise<Reindexed> {
    await this.requireNoOtherConnection();
    const outcome = { total: await this.count(), reindexed: 0 };
    progress.begin(outcome.total);
    for (let rows = await this.rowsAfter(BEFORE_ALL); rows.length > 0;) {
      const fresh = await Promise.all(rows.map(async (row) => ({ row, now: await this.fingerprints(row) })));
      const changed = fresh.filter(differs);
      outcome.reindexed += await this.write(changed.map(({ now }) => now));
      progress.add(rows.length);
      rows = await this.rowsAfter(rows.at(-1)?.id as string);
    }
    await this.reindexUploads();
    progress.end();
    return outcome;
  }

  private async requireNoOtherConnection(): Promise<void> {
    const [row] = await this.database.$queryRaw<{ others: number }[]>`
      SELECT count(*)::int AS others FROM pg_stat_activity AS other, pg_stat_activity AS own
      WHERE own.pid = pg_backend_pid() AND other.pid <> own.pid AND other.datname = own.datname
        AND other.application_name = own.application_name`;
    if (row && row.others > 0)
      throw new OperatorError(
        'A customer service, or another command, is connected: stop it first. While fingerprints under two keys are in use, ' +
          'one e-mail address could be registered twice.',
      );
  }

  /** One at a time, since each is read whole. Those without a fingerprint, which a merchant sends by itself, stay as they are. */
  private async reindexUploads(): Promise<void> {
    await this.database.$executeRaw`
      DELETE FROM document_uploads
      WHERE attached_customer_id IS NULL AND whole_at IS NULL AND digest_index IS NOT NULL`;
    for (let upload = await this.uploadAfter(BEFORE_ALL); upload; upload = await this.uploadAfter(upload.id)) {
      const { id, wrapped_key, digest_index } = upload;
      const parts = await this.database.documentPart.findMany({ where: { upload_id: id }, orderBy: { part: 'asc' } });
      const content = openParts(await this.personalData.unwrap(id, wrapped_key), id, parts);
      const fresh = this.personalData.digestIndex(createHash('sha256').update(content).digest('hex'));
      if (fresh !== digest_index)
        await this.database.$executeRaw`
          UPDATE document_uploads SET digest_index = ${fresh} WHERE id = ${id}::uuid AND attached_customer_id IS NULL`;
    }
  }

  private async uploadAfter(last: string): Promise<WholeUpload | undefined> {
    const [upload] = await this.database.$queryRaw<WholeUpload[]>`
      SELECT id, wrapped_key, digest_index FROM document_uploads
      WHERE attached_customer_id IS NULL AND whole_at IS NOT NULL AND id > ${last}::uuid ORDER BY id LIMIT 1`;
    return upload;
  }

  private async count(): Promise<number> {
    const [row] = await this.database.$queryRaw<{ total: number }[]>`
      SELECT count(*)::int AS total FROM customers WHERE erased_at IS NULL`;
    return row?.total ?? 0;
  }

  private rowsAfter(last: string): Promise<IndexedRow[]> {
    return this.database.$queryRaw<IndexedRow[]>`
      SELECT id, merchant_id, sealed_profile, wrapped_key, email_index, phone_index
      FROM customers JOIN data_keys ON owner_id = id
      WHERE id > ${last}::uuid AND erased_at IS NULL ORDER BY id LIMIT ${BATCH_ROWS}`;
  }

  private async fingerprints({ id, merchant_id, sealed_profile, wrapped_key }: IndexedRow): Promise<Fingerprints> {
    const seal = await this.personalData.sealOf(id, wrapped_key);
    const { email, phone } = seal.open<CustomerProfile>(PROFILE, sealed_profile);
    return {
      id,
      email_index: this.personalData.emailIndex(merchant_id, email),
      phone_index: this.personalData.phoneIndex(merchant_id, phone),
    };
  }

  private async write(changed: Fingerprints[]): Promise<number> {
    if (changed.length === 0) return 0;
    const column = (name: keyof Fingerprints) => changed.map((row) => row[name]);
    return this.database.$executeRaw`
      UPDATE customers SET email_index = fresh.email_index, phone_index = fresh.phone_index
      FROM unnest(${column('id')}::uuid[], ${column('email_index')}::text[], ${column('phone_index')}::text[])
        AS fresh (id, email_index, phone_index)
      WHERE customers.id = fresh.id AND erased_at IS NULL`;
  }
}

const differs = ({ row, now }: { row: IndexedRow; now: Fingerprints }): boolean =>
  row.email_index !== now.email_index || row.phone_index !== now.phone_index;
