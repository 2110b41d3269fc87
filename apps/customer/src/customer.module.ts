import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Clock } from './clock';
import { CustomerConfiguration } from './customer.configuration';
import { CustomerMessages } from './customer.messages';
import { CustomerWriter } from './customers/customer-writer';
import { MerchantRegistry } from './merchants/merchant-registry';
import { SandboxMerchant } from './merchants/sandbox-merchant';
import { CustomerDatabase } from './persistence/customer-database';
import { PersonalData } from './persistence/personal-data';
import { FindOwnerHandler } from './queries/find-owner/find-owner.handler';
import { GetCustomerHandler } from './queries/get-customer/get-customer.handler';
import { ListCustomersHandler } from './queries/list-customers/list-customers.handler';
import { ResolveApiKeyHandler } from './queries/resolve-api-key/resolve-api-key.handler';
import { CloseCustomerHandler } from './use-cases/close-customer/close-customer.handler';
import { ClosedCustomersConsumer } from './use-cases/close-customer/closed-customers.consumer';
import { CreateBusinessCustomerHandler } from './use-cases/create-business-customer/create-business-customer.handler';
import { CreateIndividualCustomerHandler } from './use-cases/create-individual-customer/create-individual-customer.handler';
import { UpdateBusinessCustomerHandler } from './use-cases/update-business-customer/update-business-customer.handler';
import { UpdateIndividualCustomerHandler } from './use-cases/update-individual-customer/update-individual-customer.handler';
import { UploadDocumentPartHandler } from './use-cases/upload-document-part/upload-document-part.handler';

const handlers = [
  CreateIndividualCustomerHandler,
  UpdateIndividualCustomerHandler,
  CreateBusinessCustomerHandler,
  UpdateBusinessCustomerHandler,
  UploadDocumentPartHandler,
  CloseCustomerHandler,
  ResolveApiKeyHandler,
  FindOwnerHandler,
  GetCustomerHandler,
  ListCustomersHandler,
];

const fromConfiguration = [
  {
    provide: CustomerDatabase,
    inject: [CustomerConfiguration],
    useFactory: ({ databaseUrl, databasePoolSize }: CustomerConfiguration) =>
      new CustomerDatabase({ url: databaseUrl, poolSize: databasePoolSize }),
  },
  {
    provide: PersonalData,
    inject: [CustomerConfiguration],
    useFactory: ({ personalDataKey, blindIndexKey }: CustomerConfiguration) =>
      new PersonalData(personalDataKey, blindIndexKey),
  },
  {
    provide: MerchantRegistry,
    inject: [CustomerDatabase, PersonalData, Clock, CustomerConfiguration],
    useFactory: (
      database: CustomerDatabase,
      personalData: PersonalData,
      clock: Clock,
      configuration: CustomerConfiguration,
    ) => new MerchantRegistry(database, personalData, clock, configuration.ledgerShards),
  },
];

@Module({
  imports: [CqrsModule],
  controllers: [CustomerMessages],
  providers: [Clock, ...fromConfiguration, CustomerWriter, SandboxMerchant, ClosedCustomersConsumer, ...handlers],
})
export class CustomerModule {}
