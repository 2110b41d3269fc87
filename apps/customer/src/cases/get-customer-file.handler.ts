import { CustomerFileView, DocumentView, KycChangeView } from '@stablecoin/contracts/customer/case-views';
import { GetCustomerFile, getCustomerFile } from '@stablecoin/contracts/customer/get-customer-file';
import { KycStatus } from '@stablecoin/contracts/customer/views';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { findCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { descriptionField, DocumentDescription } from '@stablecoin/customer-store/documents/sealed-content';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { CustomerConfiguration } from '../customer.configuration';

const DOCUMENTS_MAX = 1_000;
const EVENTS_MAX = 1_000;

interface DocumentRow {
  id: string;
  sealed_description: string;
  bytes: number | null;
  created_at: Date;
}

@Handles(getCustomerFile)
export class GetCustomerFileHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly configuration: CustomerConfiguration,
  ) {}

  async execute({ merchant_id, customer_id }: GetCustomerFile): Promise<CustomerFileView> {
    const customer = await asRefusal(() => findCustomer(this.database, merchant_id, customer_id));
    const seal = await this.personalData.sealOf(customer_id, customer.wrapped_key);
    const [documents, kyc_history] = await asRefusal(() =>
      Promise.all([this.documents(customer_id, seal), this.history(customer_id)]),
    );
    return { documents, kyc_history, documents_are_shown: this.configuration.complianceDatabaseUrl !== null };
  }

  private async documents(customerId: string, seal: OwnerSeal): Promise<DocumentView[]> {
    const rows = await this.database.$queryRaw<DocumentRow[]>`
      SELECT documents.id, sealed_description, upload.bytes, documents.created_at
      FROM documents LEFT JOIN document_uploads AS upload ON upload.id = upload_id
      WHERE customer_id = ${customerId}::uuid ORDER BY documents.created_at, documents.id LIMIT ${DOCUMENTS_MAX}`;
    return rows.map(({ id, sealed_description, bytes, created_at }) => ({
      id,
      ...seal.open<DocumentDescription>(descriptionField(id), sealed_description),
      ...{ bytes, created_at: created_at.toISOString() },
    }));
  }

  /** From the customer's events, each of which says its status after it. */
  private async history(customerId: string): Promise<KycChangeView[]> {
    const rows = await this.database.$queryRaw<{ kyc_status: KycStatus; created_at: Date }[]>`
      SELECT data::jsonb->>'kyc_status' AS kyc_status, created_at FROM events
      WHERE resource_id = ${customerId}::uuid ORDER BY sequence LIMIT ${EVENTS_MAX}`;
    return rows
      .filter(({ kyc_status }, index) => kyc_status !== rows[index - 1]?.kyc_status)
      .map(({ kyc_status, created_at }) => ({ kyc_status, changed_at: created_at.toISOString() }));
  }
}
