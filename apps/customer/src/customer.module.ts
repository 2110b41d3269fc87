import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Clock } from '@stablecoin/customer-store/clock';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { MerchantRegistry } from '@stablecoin/customer-store/merchants/merchant-registry';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { CustomerConfiguration } from './customer.configuration';
import { CustomerMessages } from './customer.messages';
import { CustomerWriter } from './customers/customer-writer';
import { EventRetention } from './events/event-retention';
import { LedgerEventsConsumer } from './events/ledger-events.consumer';
import { SandboxMerchant } from './merchants/sandbox-merchant';
import { FindOwnerHandler } from './queries/find-owner/find-owner.handler';
import { GetCustomerHandler } from './queries/get-customer/get-customer.handler';
import { GetEventHandler } from './queries/get-event/get-event.handler';
import { GetWebhookHandler } from './queries/get-webhook/get-webhook.handler';
import { ListCustomersHandler } from './queries/list-customers/list-customers.handler';
import { ListEventsHandler } from './queries/list-events/list-events.handler';
import { ListWebhooksHandler } from './queries/list-webhooks/list-webhooks.handler';
import { ResolveApiKeyHandler } from './queries/resolve-api-key/resolve-api-key.handler';
import { CloseCustomerHandler } from './use-cases/close-customer/close-customer.handler';
import { ClosedCustomersConsumer } from './use-cases/close-customer/closed-customers.consumer';
import { CreateBusinessCustomerHandler } from './use-cases/create-business-customer/create-business-customer.handler';
import { CreateIndividualCustomerHandler } from './use-cases/create-individual-customer/create-individual-customer.handler';
import { CreateWebhookHandler } from './use-cases/create-webhook/create-webhook.handler';
import { DeleteWebhookHandler } from './use-cases/delete-webhook/delete-webhook.handler';
import { ResendEventHandler } from './use-cases/resend-event/resend-event.handler';
import { RotateWebhookSecretHandler } from './use-cases/rotate-webhook-secret/rotate-webhook-secret.handler';
import { TestWebhookHandler } from './use-cases/test-webhook/test-webhook.handler';
import { UpdateBusinessCustomerHandler } from './use-cases/update-business-customer/update-business-customer.handler';
import { UpdateIndividualCustomerHandler } from './use-cases/update-individual-customer/update-individual-customer.handler';
import { UpdateWebhookHandler } from './use-cases/update-webhook/update-webhook.handler';
import { UploadDocumentPartHandler } from './use-cases/upload-document-part/upload-document-part.handler';
import { DeliveryQueue } from './webhooks/delivery-queue';
import { DeliveryWorker } from './webhooks/delivery-worker';
import { HostAddresses } from './webhooks/host-addresses';
import { WebhookSender } from './webhooks/webhook-sender';
import { WebhookUrls } from './webhooks/webhook-urls';

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
];

const webhooks = [
  LedgerEventsConsumer,
  EventRetention,
  DeliveryQueue,
  DeliveryWorker,
  HostAddresses,
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
    provide: PersonalData,
    inject: [CustomerConfiguration],
    useFactory: ({ personalDataKey, personalDataPreviousKey, blindIndexKey }: CustomerConfiguration) =>
      new PersonalData(new MasterKeys(personalDataKey, personalDataPreviousKey), blindIndexKey),
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
  imports: [CqrsModule, FactsModule],
  controllers: [CustomerMessages],
  providers: [
    Clock,
    ...fromConfiguration,
    CustomerWriter,
    SandboxMerchant,
    ClosedCustomersConsumer,
    ...webhooks,
    ...handlers,
  ],
})
export class CustomerModule {}
