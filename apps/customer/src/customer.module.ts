import { Module } from '@nestjs/common';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { CustomerAdministration } from '@stablecoin/customer-store/customers/customer-administration';
import { ErasureRecord } from '@stablecoin/customer-store/customers/erasure-record';
import { PastCustomerScreening } from '@stablecoin/customer-store/customers/past-customer-screening';
import { ScreeningDesk } from '@stablecoin/customer-store/screening/screening-desk';
import { ScreeningLists } from '@stablecoin/customer-store/screening/screening-lists';
import { configuredWrapping } from '@stablecoin/key-wrapping/configured-wrapping';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { DatabaseWatch } from '@stablecoin/persistence/database-watch';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';
import { CreateApiKeyHandler } from './api-keys/create-api-key.handler';
import { ListApiKeysHandler } from './api-keys/list-api-keys.handler';
import { RevokeApiKeyHandler } from './api-keys/revoke-api-key.handler';
import { RotateApiKeyHandler } from './api-keys/rotate-api-key.handler';
import { DecideKycHandler } from './cases/decide-kyc.handler';
import { EraseCustomerHandler } from './cases/erase-customer.handler';
import { GetCaseHandler } from './cases/get-case.handler';
import { GetCustomerFileHandler } from './cases/get-customer-file.handler';
import { ListCasesHandler } from './cases/list-cases.handler';
import { OpenDocumentHandler } from './cases/open-document.handler';
import { ReadDocumentPartHandler } from './cases/read-document-part.handler';
import { OpenIdentityHandler } from './cases/open-identity.handler';
import { ShownDocuments } from './cases/shown-documents';
import { CustomerConfiguration } from './customer.configuration';
import { CustomerWriter } from './customers/customer-writer';
import { EventRetention } from './events/event-retention';
import { LedgerEventsConsumer } from './events/ledger-events.consumer';
import { ListCustomerParkedFactsHandler } from './facts/list-parked-facts.handler';
import { ChangedKeys } from './merchants/changed-keys';
import { GetMerchantHandler } from './merchants/get-merchant.handler';
import { KeyUses } from './merchants/key-uses';
import { ListMerchantsHandler } from './merchants/list-merchants.handler';
import { MerchantDirectory } from './merchants/merchant-directory';
import { StorageFigures } from './merchants/storage-figures';
import { PastCustomers } from './screening/past-customers';
import { FindScreeningHandler } from './screening/find-screening.handler';
import { ScreenMovementHandler } from './screening/screen-movement.handler';
import { ScreeningFigures } from './screening/screening-figures';
import { ScreeningOfThePast } from './screening/screening-of-the-past';
import { ErasedCustomers } from './customers/erased-customers';
import { SandboxMerchant } from './merchants/sandbox-merchant';
import { FindOwnerHandler } from './customers/find-owner.handler';
import { GetCustomerHandler } from './customers/get-customer.handler';
import { GetEventHandler } from './events/get-event.handler';
import { GetWebhookHandler } from './webhooks/get-webhook.handler';
import { ListCustomersHandler } from './customers/list-customers.handler';
import { ListEventsHandler } from './events/list-events.handler';
import { ListWebhooksHandler } from './webhooks/list-webhooks.handler';
import { ResolveApiKeyHandler } from './merchants/resolve-api-key.handler';
import { CloseCustomerHandler } from './customers/close-customer.handler';
import { ClosedCustomersConsumer } from './customers/closed-customers.consumer';
import { CreateBusinessCustomerHandler } from './customers/create-business-customer.handler';
import { CreateIndividualCustomerHandler } from './customers/create-individual-customer.handler';
import { CreateWebhookHandler } from './webhooks/create-webhook.handler';
import { DeleteWebhookHandler } from './webhooks/delete-webhook.handler';
import { ResendEventHandler } from './events/resend-event.handler';
import { RotateWebhookSecretHandler } from './webhooks/rotate-webhook-secret.handler';
import { TestWebhookHandler } from './webhooks/test-webhook.handler';
import { OpenSealedHandler } from './customers/open-sealed.handler';
import { UpdateBusinessCustomerHandler } from './customers/update-business-customer.handler';
import { UpdateIndividualCustomerHandler } from './customers/update-individual-customer.handler';
import { UpdateWebhookHandler } from './webhooks/update-webhook.handler';
import { CompleteDocumentHandler } from './documents/complete-document.handler';
import { UploadDocumentPartHandler } from './documents/upload-document-part.handler';
import { DeliveryQueue } from './webhooks/delivery-queue';
import { DeliveryWorker } from './webhooks/delivery-worker';
import { HostAddresses } from './webhooks/host-addresses';
import { TestLimits } from './webhooks/test-limits';
import { WebhookSender } from './webhooks/webhook-sender';
import { WebhookUrls } from './webhooks/webhook-urls';

const handlers = [
  CreateIndividualCustomerHandler,
  UpdateIndividualCustomerHandler,
  CreateBusinessCustomerHandler,
  UpdateBusinessCustomerHandler,
  UploadDocumentPartHandler,
  CompleteDocumentHandler,
  CloseCustomerHandler,
  ResolveApiKeyHandler,
  ListMerchantsHandler,
  GetMerchantHandler,
  FindOwnerHandler,
  OpenSealedHandler,
  ScreenMovementHandler,
  FindScreeningHandler,
  GetCustomerHandler,
  ListCustomersHandler,
  CreateWebhookHandler,
  DeleteWebhookHandler,
  UpdateWebhookHandler,
  RotateWebhookSecretHandler,
  TestWebhookHandler,
  ResendEventHandler,
  ListWebhooksHandler,
  GetWebhookHandler,
  ListEventsHandler,
  GetEventHandler,
  ListApiKeysHandler,
  CreateApiKeyHandler,
  RotateApiKeyHandler,
  RevokeApiKeyHandler,
  ListCustomerParkedFactsHandler,
  DecideKycHandler,
  EraseCustomerHandler,
  GetCaseHandler,
  GetCustomerFileHandler,
  ListCasesHandler,
  OpenDocumentHandler,
  ReadDocumentPartHandler,
  OpenIdentityHandler,
];

const webhooks = [
  LedgerEventsConsumer,
  EventRetention,
  DeliveryQueue,
  DeliveryWorker,
  HostAddresses,
  TestLimits,
  WebhookSender,
  WebhookUrls,
];

const fromConfiguration = [
  {
    provide: CustomerDatabase,
    inject: [CustomerConfiguration],
    useFactory: ({ databaseUrl, databasePoolSize }: CustomerConfiguration) =>
      new CustomerDatabase({ url: databaseUrl, poolSize: databasePoolSize }),
  },
  {
    provide: MerchantReads,
    inject: [CustomerDatabase],
    useFactory: (database: CustomerDatabase) => new MerchantReads(database),
  },
  {
    provide: DatabaseWatch,
    inject: [CustomerConfiguration, BusServer],
    useFactory: ({ databaseUrl }: CustomerConfiguration, server: BusServer) =>
      new DatabaseWatch({ url: databaseUrl, applicationName: 'customer' }, server),
  },
  {
    provide: KeyWrapping,
    inject: [CustomerConfiguration],
    useFactory: ({ dataKeys }: CustomerConfiguration) => configuredWrapping(dataKeys),
  },
  {
    provide: PersonalData,
    inject: [KeyWrapping, CustomerConfiguration],
    useFactory: (wrapping: KeyWrapping, { blindIndexKey }: CustomerConfiguration) =>
      new PersonalData(wrapping, blindIndexKey),
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
  {
    provide: CustomerAdministration,
    inject: [CustomerDatabase, Clock, CustomerConfiguration],
    useFactory: (database: CustomerDatabase, clock: Clock, { erasuresFile }: CustomerConfiguration) =>
      new CustomerAdministration(database, clock, erasuresFile === null ? undefined : new ErasureRecord(erasuresFile)),
  },
  {
    provide: ScreeningDesk,
    inject: [CustomerDatabase, PersonalData, Clock, CustomerConfiguration],
    useFactory: (
      database: CustomerDatabase,
      personalData: PersonalData,
      clock: Clock,
      { screeningRequiredForLive }: CustomerConfiguration,
    ) => new ScreeningDesk(database, personalData, clock, screeningRequiredForLive),
  },
  {
    provide: PastCustomerScreening,
    inject: [CustomerDatabase, PersonalData, Clock],
    useFactory: (database: CustomerDatabase, personalData: PersonalData, clock: Clock) =>
      new PastCustomerScreening(database, personalData, clock),
  },
  {
    provide: ScreeningLists,
    inject: [CustomerDatabase, Clock],
    useFactory: (database: CustomerDatabase, clock: Clock) => new ScreeningLists(database, clock),
  },
];

@Module({
  imports: [OperationHandlersModule, FactsModule],
  providers: [
    Clock,
    ...fromConfiguration,
    CustomerWriter,
    ShownDocuments,
    SandboxMerchant,
    ErasedCustomers,
    ChangedKeys,
    KeyUses,
    MerchantDirectory,
    StorageFigures,
    ClosedCustomersConsumer,
    ScreeningOfThePast,
    PastCustomers,
    ScreeningFigures,
    ...webhooks,
    ...handlers,
  ],
})
export class CustomerModule {}
