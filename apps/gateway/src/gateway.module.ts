import { Module } from '@nestjs/common';
import { AssetsController } from './assets/assets.controller';
import { AuditController } from './audit/audit.controller';
import { ApiKeys } from './authentication/api-keys';
import { ChangedKeys } from './authentication/changed-keys';
import { RateLimits } from './authentication/rate-limits';
import { merchantResources } from '@stablecoin/merchant-resources/merchant-resources';
import { UnauthenticatedRateLimits } from '@stablecoin/http-answers/unauthenticated-rate-limits';
import { CustomersController } from './customers/customers.controller';
import { DocumentUploads } from './customers/document-uploads';
import { BodyShares } from './documents/body-shares';
import { DecodedDocuments } from './documents/decoded-documents';
import { DocumentForms } from './documents/document-forms';
import { DocumentParts } from './documents/document-parts';
import { DocumentsController } from './documents/documents.controller';
import { LargeJsonBodies } from './documents/large-json-bodies';
import { EventsController } from './events/events.controller';
import { GatewayConfiguration } from './gateway.configuration';
import { Admission } from './admission/admission';
import { ClientAddresses } from './http/client-addresses';
import { Health } from './http/health';
import { EventLoopLag } from './admission/event-loop-lag';
import { InFlightLimiter } from './admission/in-flight-limiter';
import { Commands } from './idempotency/command';
import { PayoutMethodsController } from './payout-methods/payout-methods.controller';
import { PayoutsController } from './payouts/payouts.controller';
import { PolicyController } from './policy/policy.controller';
import { SandboxController } from './sandbox/sandbox.controller';
import { QuotesController } from './swaps/quotes.controller';
import { SwapsController } from './swaps/swaps.controller';
import { TransactionsController } from './transactions/transactions.controller';
import { WalletsController } from './wallets/wallets.controller';
import { WebhooksController } from './webhooks/webhooks.controller';

/**
 * Every controller of the interface. The interface document is generated from the same list, in this order: the bodies
 * that it shows work one after another.
 */
export const CONTROLLERS = [
  CustomersController,
  DocumentsController,
  WalletsController,
  AssetsController,
  SandboxController,
  QuotesController,
  SwapsController,
  PayoutsController,
  PayoutMethodsController,
  TransactionsController,
  PolicyController,
  WebhooksController,
  EventsController,
  AuditController,
];

const unauthenticatedRateLimits = {
  provide: UnauthenticatedRateLimits,
  inject: [GatewayConfiguration],
  useFactory: (configuration: GatewayConfiguration) =>
    new UnauthenticatedRateLimits({
      perSecond: configuration.unauthenticatedRateLimitPerSecond,
      burst: configuration.unauthenticatedRateLimitBurst,
    }),
};

@Module({
  controllers: CONTROLLERS,
  providers: [
    ...merchantResources(GatewayConfiguration),
    Admission,
    ApiKeys,
    BodyShares,
    ChangedKeys,
    ClientAddresses,
    Commands,
    DecodedDocuments,
    DocumentForms,
    DocumentParts,
    DocumentUploads,
    Health,
    EventLoopLag,
    LargeJsonBodies,
    RateLimits,
    InFlightLimiter,
    unauthenticatedRateLimits,
  ],
})
export class GatewayModule {}
