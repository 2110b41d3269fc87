import { Injectable, OnApplicationShutdown } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { findCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { DocumentArchive, NoDocument } from '@stablecoin/customer-store/documents/document-archive';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { CustomerConfiguration } from '../customer.configuration';
import { refusedAs } from '../refused-as';

const CONNECTIONS = 2;

/**
 * Documents for people at the console, by a login of compliance officers' role, which this service has only where it was given one. Its
 * own role reads none that is a customer's; that login reads what it has put on the record within the minutes before.
 */
@Injectable()
export class ShownDocuments implements OnApplicationShutdown {
  private readonly compliance: CustomerDatabase | undefined;
  private readonly archive: DocumentArchive | undefined;

  constructor(
    private readonly database: CustomerDatabase,
    wrapping: KeyWrapping,
    { complianceDatabaseUrl: url }: CustomerConfiguration,
  ) {
    this.compliance = url === null ? undefined : new CustomerDatabase({ url, poolSize: CONNECTIONS });
    this.archive = this.compliance && new DocumentArchive(this.compliance, wrapping);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.compliance?.$disconnect();
  }

  /** @throws Refusal `not_found` for what is no document of a customer of the merchant, and where none is shown */
  async of<Result>(
    merchantId: string,
    customerId: string,
    read: (archive: DocumentArchive) => Promise<Result>,
  ): Promise<Result> {
    const { archive } = this;
    if (!archive) throw notFound();
    return asRefusal(async () => {
      await findCustomer(this.database, merchantId, customerId);
      return refusedAs(NoDocument, notFound, () => read(archive));
    });
  }
}

const notFound = () => new Refusal('not_found');
