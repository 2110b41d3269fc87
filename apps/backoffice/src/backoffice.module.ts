import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { merchantResources } from '@stablecoin/merchant-resources/merchant-resources';
import { ActRecord } from '@stablecoin/people-store/act-record';
import { Acts, ReasonedActs } from '@stablecoin/people-store/acts';
import { AuditRuns } from '@stablecoin/people-store/audit-runs';
import { Decisions } from '@stablecoin/people-store/decisions';
import { Identities } from '@stablecoin/people-store/identities';
import { Invitations } from '@stablecoin/people-store/invitations';
import { Members } from '@stablecoin/people-store/members';
import { Orders } from '@stablecoin/people-store/orders';
import { Passkeys } from '@stablecoin/people-store/passkeys';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { PeopleSeal } from '@stablecoin/people-store/people-seal';
import { Sessions } from '@stablecoin/people-store/sessions';
import { SolvencyReports } from '@stablecoin/people-store/solvency-reports';
import { ActsController } from './acts/acts.controller';
import { ApprovalsController } from './approvals/approvals.controller';
import { AuditController } from './audit/audit.controller';
import { AuditRunsController } from './audit/audit-runs.controller';
import { AuditRunStreams } from './audit/audit-run-streams';
import { BackofficeConfiguration } from './backoffice.configuration';
import { DecisionsController } from './approvals/decisions.controller';
import { PayoutDecisions } from './approvals/payout-decisions';
import { CaseDocumentsController } from './cases/case-documents.controller';
import { Cases } from './cases/cases';
import { CasesController } from './cases/cases.controller';
import { CheckpointsController } from './checkpoints/checkpoints.controller';
import { CustomerCommands } from './customers/customer-commands';
import { CustomerDocumentsController } from './customers/customer-documents.controller';
import { CustomersController } from './customers/customers.controller';
import { DepositsController } from './deposits/deposits.controller';
import { MerchantDeposits } from './deposits/merchant-deposits';
import { DocumentContents } from './customers/document-contents';
import { ExportReplies } from './exports/export-replies';
import { ExportStreams } from './exports/export-streams';
import { FiguresController } from './figures/figures.controller';
import { ConsoleOrigin } from './http/console-origin';
import { Health } from './http/health';
import { RequestSources } from './http/request-sources';
import { SessionCookie } from './http/session-cookie';
import { KeysController } from './keys/keys.controller';
import { LiveController } from './live/live.controller';
import { LiveStreams } from './live/live-streams';
import { InvitationsController } from './members/invitations.controller';
import { MembersController } from './members/members.controller';
import { IdentityController } from './oidc/identity.controller';
import { IdentityProvider } from './oidc/identity-provider';
import { OidcController } from './oidc/oidc.controller';
import { ProviderCookie } from './oidc/provider-cookie';
import { ProviderSignIn } from './oidc/provider-sign-in';
import { MerchantsController } from './merchants/merchants.controller';
import { HeardInstances } from './operations/heard-instances';
import { OperationsController } from './operations/operations.controller';
import { OrderSigning } from './orders/order-signing';
import { OrdersController } from './orders/orders.controller';
import { PayoutOrders } from './orders/payout-orders';
import { SwapOrders } from './orders/swap-orders';
import { PasskeySessionController } from './passkeys/passkey-session.controller';
import { PasskeySignatures } from './passkeys/passkey-signatures';
import { PasskeySignIn } from './passkeys/passkey-sign-in';
import { PasskeysController } from './passkeys/passkeys.controller';
import { RelyingParty } from './passkeys/relying-party';
import { ReconciliationController } from './reconciliation/reconciliation.controller';
import { AskedInTime } from './reads/asked-in-time';
import { MerchantLooks } from './reads/merchant-looks';
import { MerchantOfPath } from './reads/merchant-of-path';
import { MemberRates } from './sessions/member-rates';
import { SessionController } from './sessions/session.controller';
import { SessionGuard } from './sessions/session.guard';
import { SessionRequests } from './sessions/session-requests';
import { SignInAttempts } from './sessions/sign-in-attempts';
import { SignIns } from './sessions/sign-ins';
import { SignInRetention } from './sessions/sign-in-retention';
import { StatementsController } from './statements/statements.controller';
import { WalletStatements } from './statements/wallet-statements';
import { MerchantTransactions } from './transactions/merchant-transactions';
import { TransactionSignerNames } from './transactions/transaction-signers';
import { TransactionExports } from './transactions/transaction-exports';
import { TransactionsController } from './transactions/transactions.controller';
import { TreasuryController } from './treasury/treasury.controller';
import { EventsController } from './webhooks/events.controller';
import { MemberCommands } from './commands/member-commands';
import { WebhooksController } from './webhooks/webhooks.controller';
import { WalletsController } from './wallets/wallets.controller';

const database = {
  provide: PeopleDatabase,
  inject: [BackofficeConfiguration],
  useFactory: ({ databaseUrl: url, databasePoolSize: poolSize }: BackofficeConfiguration) =>
    new PeopleDatabase({ url, poolSize }),
};
const seal = {
  provide: PeopleSeal,
  inject: [BackofficeConfiguration],
  useFactory: ({ peopleKey }: BackofficeConfiguration) => new PeopleSeal(peopleKey),
};
const STORES = [Sessions, Invitations, Members, ActRecord].map((type) => ({
  provide: type,
  inject: [PeopleDatabase, PeopleSeal],
  useFactory: (people: PeopleDatabase, peopleSeal: PeopleSeal) => new type(people, peopleSeal),
}));
const passkeys = {
  provide: Passkeys,
  inject: [PeopleDatabase, PeopleSeal, Sessions],
  useFactory: (...of: ConstructorParameters<typeof Passkeys>) => new Passkeys(...of),
};
const identities = {
  provide: Identities,
  inject: [PeopleDatabase, PeopleSeal, Sessions],
  useFactory: (...of: ConstructorParameters<typeof Identities>) => new Identities(...of),
};

const acts = {
  provide: Acts,
  inject: [PeopleDatabase],
  useFactory: (people: PeopleDatabase) => new Acts(people),
};
const solvencyReports = {
  provide: SolvencyReports,
  inject: [PeopleDatabase],
  useFactory: (people: PeopleDatabase) => new SolvencyReports(people),
};
const auditRuns = {
  provide: AuditRuns,
  inject: [PeopleDatabase],
  useFactory: (people: PeopleDatabase) => new AuditRuns(people),
};
const reasonedActs = {
  provide: ReasonedActs,
  inject: [PeopleDatabase, PeopleSeal],
  useFactory: (people: PeopleDatabase, ofPeople: PeopleSeal) => new ReasonedActs(people, ofPeople),
};
const decisions = {
  provide: Decisions,
  inject: [PeopleDatabase, PeopleSeal, Passkeys],
  useFactory: (...of: ConstructorParameters<typeof Decisions>) => new Decisions(...of),
};
const orders = {
  provide: Orders,
  inject: [Passkeys],
  useFactory: (ofPeople: Passkeys) => new Orders(ofPeople),
};

@Module({
  controllers: [
    SessionController,
    PasskeySessionController,
    PasskeysController,
    OidcController,
    IdentityController,
    MembersController,
    ActsController,
    InvitationsController,
    MerchantsController,
    TreasuryController,
    OperationsController,
    ReconciliationController,
    TransactionsController,
    FiguresController,
    DepositsController,
    StatementsController,
    WalletsController,
    CustomersController,
    CustomerDocumentsController,
    CasesController,
    CaseDocumentsController,
    KeysController,
    CheckpointsController,
    ApprovalsController,
    DecisionsController,
    OrdersController,
    LiveController,
    WebhooksController,
    EventsController,
    AuditController,
    AuditRunsController,
  ],
  providers: [
    database,
    seal,
    ...STORES,
    passkeys,
    identities,
    IdentityProvider,
    ProviderCookie,
    ProviderSignIn,
    decisions,
    solvencyReports,
    auditRuns,
    AuditRunStreams,
    orders,
    PayoutDecisions,
    PayoutOrders,
    SwapOrders,
    OrderSigning,
    PasskeySignatures,
    LiveStreams,
    acts,
    reasonedActs,
    MemberCommands,
    CustomerCommands,
    DocumentContents,
    Cases,
    RelyingParty,
    PasskeySignIn,
    ...merchantResources(BackofficeConfiguration),
    MerchantLooks,
    HeardInstances,
    MerchantTransactions,
    ExportReplies,
    ExportStreams,
    TransactionExports,
    WalletStatements,
    MerchantDeposits,
    TransactionSignerNames,
    MemberRates,
    ConsoleOrigin,
    Health,
    RequestSources,
    SessionCookie,
    SessionRequests,
    SignInAttempts,
    SignIns,
    SignInRetention,
    { provide: APP_GUARD, useClass: SessionGuard },
    { provide: APP_INTERCEPTOR, useClass: AskedInTime },
    { provide: APP_INTERCEPTOR, useClass: MerchantOfPath },
  ],
})
export class BackofficeModule {}
