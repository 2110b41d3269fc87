// Made of apps/console/interface.yaml by npm run docs.

export interface paths {
  '/api/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getSession'];
    put?: never;
    post?: never;
    delete: operations['endSession'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/sessions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['endAllSessions'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session/link': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['signInByLink'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session/passkey/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['signInOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session/passkey': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['signInByPasskey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session/step-up/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['stepUpOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/session/step-up': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['stepUp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/passkeys/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['passkeyOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/passkeys/{passkey_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['removePasskey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/passkeys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listPasskeys'];
    put?: never;
    post: operations['addPasskey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/sign-in-ways': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['signInWays'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/identity': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['showIdentity'];
    put?: never;
    post?: never;
    delete: operations['removeIdentity'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/identity/connection': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['connectIdentity'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/audit/shards': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listSignedShards'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/audit/shards/{shard}/checkpoints': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listShardCheckpoints'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/audit/shards/{shard}/consistency': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['proveShardConsistency'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/audit/wallets/{wallet_id}/balance': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['explainBalance'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/audit/runs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listAuditRuns'];
    put?: never;
    post: operations['askForAuditRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/audit/runs/{number}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getAuditRun'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/audit/runs/{number}/cancellation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['cancelAuditRun'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/members': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listMembers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/members/{member_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    delete: operations['removeMember'];
    options?: never;
    head?: never;
    patch: operations['changeMember'];
    trace?: never;
  };
  '/api/acts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listActs'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/invitations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['inviteMember'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/merchants/{merchant_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getMerchant'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/merchants': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listMerchants'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/treasury': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getTreasury'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/treasury/transfers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listTransfers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/treasury/transfers/{reference}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getTransfer'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/treasury/unrecognised': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listUnrecognised'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/treasury/rescan': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['rescan'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/operations/services': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listServices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/operations/shards': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listShards'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/operations/parked-facts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listParkedFacts'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/reconciliation': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listReports'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/reconciliation/{number}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getReport'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/transactions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listTransactions'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/transactions/{transaction_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getTransaction'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/transactions/{transaction_id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['explainTransaction'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/transactions/{transaction_id}/proof': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['proveTransaction'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/wallets': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listWallets'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/wallets/{wallet_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getWallet'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/wallets/{wallet_id}/statement': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getStatement'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/figures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getFigures'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/wallets/{wallet_id}/balances': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getBalances'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/deposits': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listDeposits'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/deposits/unrecognised': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listOwnUnrecognised'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/transactions/{transaction_id}/signers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getSigners'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/approvals': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listApprovals'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/payouts/banks/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['bankPayoutOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/payouts/wallets/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['walletPayoutOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/payouts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['pay'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/swaps/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['swapOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/swaps': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['swap'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/payouts/{transaction_id}/approve/options': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['approvalOptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/payouts/{transaction_id}/approve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['approvePayout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/payouts/{transaction_id}/reject': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['rejectPayout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listWebhooks'];
    put?: never;
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhooks/{webhook_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put: operations['updateWebhook'];
    post?: never;
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhooks/{webhook_id}/rotate-secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhooks/{webhook_id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/events/{event_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getEvent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/events/{event_id}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['resendEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listKeys'];
    put?: never;
    post: operations['createKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/keys/{key_id}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['rotateKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/keys/{key_id}/revoke': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['revokeKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/customers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listCustomers'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/customers/{customer_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getCustomer'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/customers/{customer_id}/file': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getCustomerFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/customers/{customer_id}/documents/{document_id}/open': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['openDocument'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cases': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['listCases'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cases/{customer_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getCase'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cases/{customer_id}/file': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get: operations['getCaseFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cases/{customer_id}/identity': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['openIdentity'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cases/{customer_id}/decision': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['decideCase'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cases/{customer_id}/erasure': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['eraseCustomer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cases/{customer_id}/documents/{document_id}/open': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post: operations['openCaseDocument'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @enum {string} */
    KycStatus: 'not_started' | 'under_review' | 'approved' | 'rejected';
    ShownCustomer: {
      id: string;
      /** @enum {string} */
      customer_type: 'individual' | 'business';
      /** @enum {string} */
      status: 'active' | 'closed';
      kyc_status: components['schemas']['KycStatus'];
      created_at: string;
      updated_at: string;
      email?: string;
      phone?: string;
      personal_info?: components['schemas']['PersonalDetails'];
      business_info?: components['schemas']['BusinessDetails'];
      financial_info?: components['schemas']['FinancialDetails'];
      address?: components['schemas']['CustomerAddress'] | null;
    };
    CustomerDocument: {
      id: string;
      doc_type: string;
      sub_type: string | null;
      doc_country: string | null;
      url: string | null;
      bytes: number | null;
      created_at: string;
    };
    CustomerFile: {
      documents: components['schemas']['CustomerDocument'][];
      kyc_history: {
        kyc_status: components['schemas']['KycStatus'];
        changed_at: string;
      }[];
      documents_are_shown: boolean;
    };
    OpenedDocument: {
      document_id: string;
      parts: number;
    };
    Case: {
      customer_id: string;
      merchant_id: string;
      /** @enum {string} */
      customer_type: 'individual' | 'business';
      /** @enum {string} */
      status: 'active' | 'closed';
      kyc_status: components['schemas']['KycStatus'];
      created_at: string;
      updated_at: string;
      erased_at: string | null;
    };
    /** @enum {string} */
    Scope: 'read' | 'write' | 'payout' | 'approve';
    ApiKey: {
      id: string;
      name: string | null;
      /** @enum {string} */
      mode: 'test' | 'live';
      scopes: components['schemas']['Scope'][];
      allowed_addresses: string[];
      created_at: string;
      last_used_at: string | null;
      expires_at: string | null;
      revoked_at: string | null;
    };
    ApiKeys: {
      keys: components['schemas']['ApiKey'][];
      scopes: components['schemas']['Scope'][];
    };
    NewApiKey: {
      id: string;
      scopes: components['schemas']['Scope'][];
      allowed_addresses: string[];
      api_key: string;
    };
    RotatedApiKey: components['schemas']['NewApiKey'] & {
      replaces: string;
      replaced_expires_at: string;
    };
    Webhook: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description Where events are sent: https, or with a test key http on this machine.
       * @example https://merchant.example/hooks
       */
      url: string;
      /**
       * @description A note of your own.
       * @example Float for payouts
       */
      description: string | null;
      /** @description The types that are sent there; null or left out: all of them. */
      events:
        | (
            | 'customer.created'
            | 'customer.updated'
            | 'customer.closed'
            | 'deposit.pending'
            | 'deposit.completed'
            | 'deposit.failed'
            | 'deposit.reversed'
            | 'swap.completed'
            | 'payout.approval_required'
            | 'payout.completed'
            | 'payout.failed'
            | 'payout.reversed'
          )[]
        | null;
      /**
       * @description Whether it is sent to; disabled by you, or once it answered 410.
       * @enum {string}
       */
      status: 'enabled' | 'disabled';
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
    };
    NewWebhook: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description Where events are sent: https, or with a test key http on this machine.
       * @example https://merchant.example/hooks
       */
      url: string;
      /**
       * @description A note of your own.
       * @example Float for payouts
       */
      description: string | null;
      /** @description The types that are sent there; null or left out: all of them. */
      events:
        | (
            | 'customer.created'
            | 'customer.updated'
            | 'customer.closed'
            | 'deposit.pending'
            | 'deposit.completed'
            | 'deposit.failed'
            | 'deposit.reversed'
            | 'swap.completed'
            | 'payout.approval_required'
            | 'payout.completed'
            | 'payout.failed'
            | 'payout.reversed'
          )[]
        | null;
      /**
       * @description Whether it is sent to; disabled by you, or once it answered 410.
       * @enum {string}
       */
      status: 'enabled' | 'disabled';
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
      /**
       * @description Signs what is sent there: whsec_ and the key in base64. Shown once.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      secret: string;
    };
    RotatedWebhook: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description Where events are sent: https, or with a test key http on this machine.
       * @example https://merchant.example/hooks
       */
      url: string;
      /**
       * @description A note of your own.
       * @example Float for payouts
       */
      description: string | null;
      /** @description The types that are sent there; null or left out: all of them. */
      events:
        | (
            | 'customer.created'
            | 'customer.updated'
            | 'customer.closed'
            | 'deposit.pending'
            | 'deposit.completed'
            | 'deposit.failed'
            | 'deposit.reversed'
            | 'swap.completed'
            | 'payout.approval_required'
            | 'payout.completed'
            | 'payout.failed'
            | 'payout.reversed'
          )[]
        | null;
      /**
       * @description Whether it is sent to; disabled by you, or once it answered 410.
       * @enum {string}
       */
      status: 'enabled' | 'disabled';
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
      /**
       * @description Signs what is sent there: whsec_ and the key in base64. Shown once.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=
       */
      secret: string;
      /**
       * Format: date-time
       * @description Until when the secret before signs beside it.
       * @example 2026-01-31T09:30:00.000Z
       */
      previous_secret_expires_at: string;
    };
    WebhookTest: {
      /**
       * Format: uuid
       * @description The event.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      event_id: string;
      /**
       * @description How the test went; queued: there is no answer yet, the event tells later.
       * @enum {string}
       */
      outcome: 'delivered' | 'failed' | 'queued';
      /**
       * @description The HTTP status of the last answer.
       * @example 200
       */
      response_status: number | null;
      /**
       * @description Why the last attempt was not a success.
       * @enum {string|null}
       */
      error:
        | 'refused_by_receiver'
        | 'timeout'
        | 'connection_failed'
        | 'host_not_found'
        | 'private_address'
        | 'webhook_disabled'
        | 'webhook_deleted'
        | null;
    };
    Event:
      | components['schemas']['CustomerCreatedEvent']
      | components['schemas']['CustomerUpdatedEvent']
      | components['schemas']['CustomerClosedEvent']
      | components['schemas']['DepositPendingEvent']
      | components['schemas']['DepositCompletedEvent']
      | components['schemas']['DepositFailedEvent']
      | components['schemas']['DepositReversedEvent']
      | components['schemas']['SwapCompletedEvent']
      | components['schemas']['PayoutApprovalRequiredEvent']
      | components['schemas']['PayoutCompletedEvent']
      | components['schemas']['PayoutFailedEvent']
      | components['schemas']['PayoutReversedEvent']
      | components['schemas']['WebhookTestEvent'];
    EventWithDeliveries:
      | components['schemas']['CustomerCreatedEventWithDeliveries']
      | components['schemas']['CustomerUpdatedEventWithDeliveries']
      | components['schemas']['CustomerClosedEventWithDeliveries']
      | components['schemas']['DepositPendingEventWithDeliveries']
      | components['schemas']['DepositCompletedEventWithDeliveries']
      | components['schemas']['DepositFailedEventWithDeliveries']
      | components['schemas']['DepositReversedEventWithDeliveries']
      | components['schemas']['SwapCompletedEventWithDeliveries']
      | components['schemas']['PayoutApprovalRequiredEventWithDeliveries']
      | components['schemas']['PayoutCompletedEventWithDeliveries']
      | components['schemas']['PayoutFailedEventWithDeliveries']
      | components['schemas']['PayoutReversedEventWithDeliveries']
      | components['schemas']['WebhookTestEventWithDeliveries'];
    PayoutDryRun: {
      /**
       * @description Always true, and left out of the answer to what was done: nothing was written.
       * @constant
       */
      dry_run: true;
      /** @description Null: nothing was recorded. */
      id: null;
      /**
       * Format: uuid
       * @description The wallet that the money leaves; null when it comes from outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      sender_wallet_id: string | null;
      /**
       * Format: uuid
       * @description The wallet that the money reaches; null when it goes outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      receiver_wallet_id: string | null;
      /** @description Null: nothing was recorded. */
      transaction_id: null;
      /**
       * @description The currency.
       * @enum {string}
       */
      asset_code: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description The amount: 8 decimals.
       * @example 10.50000000
       */
      amount: string;
      /** @description Null: nothing was recorded. */
      reference_id: null;
      /**
       * @description In which state it is.
       * @enum {string}
       */
      status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED';
      /** @description Null: nothing was recorded. */
      created_at: null;
      /** @description Null: nothing was recorded. */
      updated_at: null;
      /**
       * @description The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
       * @example 0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd
       */
      crypto_transaction_id: string | null;
      /**
       * @description The blockchain network, in lower case.
       * @enum {string|null}
       */
      network: 'erc20' | 'bep20' | 'solana' | 'trc20' | 'polygon' | null;
      /**
       * @description What kind of movement it is.
       * @enum {string}
       */
      transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
      /**
       * @description Whether the wallet gains or gives.
       * @enum {string}
       */
      transaction_mode: 'CREDIT' | 'DEBIT';
      /**
       * @description The price at which the amount was exchanged or valued.
       * @example 1489.55
       */
      exchange_rate: string | null;
      /**
       * @description Who is paid.
       * @example Ada Obi
       */
      withdrawal_recipient_name: string | null;
      /**
       * @description What the payout cost on top of the amount; null: nothing.
       * @example 0.50000000
       */
      fee: string | null;
      /**
       * @description The balance that the wallet would have right after the payout was held.
       * @example 89.50000000
       */
      balance: string;
      /**
       * @description For payouts, where the money goes.
       * @example Payout to 0123456789 (058)
       */
      reason: string | null;
      /**
       * Format: uuid
       * @description The customer that it belongs to or concerns; null or left out: the merchant itself.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      customer_id: string | null;
      /**
       * @description Currency of the account that is paid; left out, that of the payout if fiat, else USD.
       * @enum {string|null}
       */
      recipient_currency: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD' | null;
      /**
       * @description Country of the account that is paid.
       * @example Nigeria
       */
      recipient_country: string | null;
      /**
       * @description Name of the bank.
       * @example First Bank
       */
      bank_name: string | null;
      /**
       * @description Code of the bank.
       * @example 058
       */
      bank_code: string | null;
      /**
       * @description Number of the account that is paid.
       * @example 0123456789
       */
      bank_account: string | null;
      /**
       * @description The address that would be paid.
       * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
       */
      address: string | null;
      /**
       * @description What the amount is worth in recipient_currency at this moment.
       * @example 15640.27500000
       */
      amount_fiat: string;
      /**
       * @description The bank's reference, once there is one.
       * @example BANK-REF-4711
       */
      fiat_reference_id: string | null;
      /**
       * @description Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until its destination has been known for long enough; `screening`, while its recipient is under review, told where it is looked up by itself. Else null.
       * @enum {string|null}
       */
      waiting_for: 'approval' | 'cooling_off' | 'screening' | null;
      /**
       * Format: date-time
       * @description Before then the payout is not sent; null where nothing has to be waited for.
       * @example 2026-01-31T09:30:00.000Z
       */
      send_after: string | null;
      /**
       * @description Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs none.
       * @example b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c
       */
      approval_hash: string | null;
      /**
       * @description How many keys must approve it; null for a payout that needs none.
       * @example 1
       */
      approvals_required: number | null;
      /** @description The approvals that are there; null for a payout that needs none. */
      approvals: components['schemas']['Approval'][] | null;
      /**
       * Format: date-time
       * @description If it is not approved by then, it fails and its money goes back; null for a payout that needs none.
       * @example 2026-01-31T09:30:00.000Z
       */
      approval_expires_at: string | null;
    };
    SwapTransactionDryRun: {
      /** @description Null: nothing was recorded. */
      id: null;
      /**
       * Format: uuid
       * @description The wallet that the money leaves; null when it comes from outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      sender_wallet_id: string | null;
      /**
       * Format: uuid
       * @description The wallet that the money reaches; null when it goes outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      receiver_wallet_id: string | null;
      /** @description Null: nothing was recorded. */
      transaction_id: null;
      /**
       * @description The currency.
       * @enum {string}
       */
      asset_code: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description The amount: 8 decimals.
       * @example 10.50000000
       */
      amount: string;
      /** @description Null: nothing was recorded. */
      reference_id: null;
      /**
       * @description In which state it is.
       * @enum {string}
       */
      status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED';
      /** @description Null: nothing was recorded. */
      created_at: null;
      /** @description Null: nothing was recorded. */
      updated_at: null;
      /**
       * @description The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
       * @example 0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd
       */
      crypto_transaction_id: string | null;
      /**
       * @description The blockchain network, in lower case.
       * @enum {string|null}
       */
      network: 'erc20' | 'bep20' | 'solana' | 'trc20' | 'polygon' | null;
      /**
       * @description What kind of movement it is.
       * @enum {string}
       */
      transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
      /**
       * @description Whether the wallet gains or gives.
       * @enum {string}
       */
      transaction_mode: 'CREDIT' | 'DEBIT';
      /**
       * @description The price at which the amount was exchanged or valued.
       * @example 1489.55
       */
      exchange_rate: string | null;
      /**
       * @description Who is paid.
       * @example Ada Obi
       */
      withdrawal_recipient_name: string | null;
      /**
       * @description What the payout cost on top of the amount; null: nothing.
       * @example 0.50000000
       */
      fee: string | null;
      /**
       * @description The balance that the wallet would have right after the transaction.
       * @example 89.50000000
       */
      balance: string;
      /**
       * @description For payouts, where the money goes.
       * @example Payout to 0123456789 (058)
       */
      reason: string | null;
      /**
       * Format: uuid
       * @description The customer that it belongs to or concerns; null or left out: the merchant itself.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      customer_id: string | null;
    };
    SwapTransaction: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * Format: uuid
       * @description The wallet that the money leaves; null when it comes from outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      sender_wallet_id: string | null;
      /**
       * Format: uuid
       * @description The wallet that the money reaches; null when it goes outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      receiver_wallet_id: string | null;
      /**
       * @description Short identifier of the transaction.
       * @example K7Q2ZP9X4B
       */
      transaction_id: string;
      /**
       * @description The currency.
       * @enum {string}
       */
      asset_code: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description The amount: 8 decimals.
       * @example 10.50000000
       */
      amount: string;
      /**
       * Format: uuid
       * @description Groups related transactions; for a swap its swapId.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      reference_id: string;
      /**
       * @description In which state it is.
       * @enum {string}
       */
      status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED';
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
      /**
       * @description The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
       * @example 0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd
       */
      crypto_transaction_id: string | null;
      /**
       * @description The blockchain network, in lower case.
       * @enum {string|null}
       */
      network: 'erc20' | 'bep20' | 'solana' | 'trc20' | 'polygon' | null;
      /**
       * @description What kind of movement it is.
       * @enum {string}
       */
      transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
      /**
       * @description Whether the wallet gains or gives.
       * @enum {string}
       */
      transaction_mode: 'CREDIT' | 'DEBIT';
      /**
       * @description The price at which the amount was exchanged or valued.
       * @example 1489.55
       */
      exchange_rate: string | null;
      /**
       * @description Who is paid.
       * @example Ada Obi
       */
      withdrawal_recipient_name: string | null;
      /**
       * @description What the payout cost on top of the amount; null: nothing.
       * @example 0.50000000
       */
      fee: string | null;
      /**
       * @description The balance of the wallet right after the transaction.
       * @example 89.50000000
       */
      balance: string;
      /**
       * @description For payouts, where the money goes.
       * @example Payout to 0123456789 (058)
       */
      reason: string | null;
      /**
       * Format: uuid
       * @description The customer that it belongs to or concerns; null or left out: the merchant itself.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      customer_id: string | null;
    };
    BankPayout: {
      customer_id: string | null;
      currency: string;
      amount: string;
      account_number: string;
      bank_code: string;
      bank_name: string | null;
      recipient_name: string;
      recipient_currency?: string | null;
      recipient_country?: string | null;
    };
    WalletPayout: {
      customer_id: string | null;
      currency: string;
      amount: string;
      network: string;
      address: string;
      recipient_name: string | null;
    };
    SwapTerms: {
      customer_id: string | null;
      from_currency: string;
      to_currency: string;
      amount: string;
    };
    Offer: {
      order: string;
      hash: string;
      options: {
        [key: string]: unknown;
      };
    };
    OfferedPayout: components['schemas']['Offer'] & {
      preview: components['schemas']['PayoutDryRun'];
      terms: components['schemas']['PayoutOrder'];
    };
    OfferedSwap: components['schemas']['Offer'] & {
      preview: {
        debit: components['schemas']['SwapTransactionDryRun'];
        credit: components['schemas']['SwapTransactionDryRun'];
      };
      terms: components['schemas']['SwapOrder'];
    };
    PayoutOrder: {
      /** @constant */
      type: 'payout-order';
      currency: string;
      amount: string;
      fee: string | null;
      exchange_rate: string;
      valid_until: string;
    } & {
      [key: string]: string | null;
    };
    SwapOrder: {
      /** @constant */
      type: 'swap-order';
      from_currency: string;
      to_currency: string;
      from_amount: string;
      to_amount: string;
      price: string;
      valid_until: string;
    } & {
      [key: string]: string | null;
    };
    SignedOrder: {
      order: string;
      response: {
        [key: string]: unknown;
      };
    };
    ExecutedSwap: {
      debit: components['schemas']['SwapTransaction'];
      credit: components['schemas']['SwapTransaction'];
      swap_id: string;
    };
    Merchant: {
      merchant_id: string;
      name: string;
      /** @enum {string} */
      mode: 'test' | 'live';
      /** @enum {string} */
      status: 'active' | 'no_valid_key';
      shard: number;
      created_at: string;
      valid_keys: number;
      last_used_at: string | null;
    };
    NetworkHoldings: {
      status: {
        network: string;
        chain_id: number;
        head: number | null;
        tip: number | null;
        tip_at: string | null;
        final: number | null;
        rescan_from: number | null;
        nodes: {
          node: string;
          head: number | null;
          behind: number | null;
          failure: string | null;
        }[];
        oldest_unconfirmed_deposit: {
          transaction_hash: string;
          block_number: number;
          seen_at: string;
        } | null;
        oldest_unconfirmed_payout: {
          reference: string;
          state: string;
          held_by: string | null;
          created_at: string;
        } | null;
        waiting: {
          [key: string]: number;
        };
        sent: number;
      };
      treasury: {
        network: string;
        coin: string;
        hot_address: string | null;
        hot_coins: string | null;
        cold_address: string | null;
        hot_wei_transfers: number | null;
        deposit_addresses_coins: string;
        fees_coins: string;
        gas_coins: string;
        block_number: number | null;
        read_at: string | null;
        tokens: {
          currency: string;
          to_sweep: {
            units: string;
            amount: string;
            addresses: number;
          };
          below_threshold: {
            units: string;
            amount: string;
            addresses: number;
          };
          hot: {
            units: string;
            amount: string;
          } | null;
          cold: {
            units: string;
            amount: string;
          } | null;
          former: {
            units: string;
            amount: string;
          };
          under_way: {
            payouts: {
              units: string;
              amount: string;
            };
            to_cold: {
              units: string;
              amount: string;
            };
            sweeps: {
              units: string;
              amount: string;
            };
          };
          rest_units: string;
          sweep_above: string | null;
          hot_min: string | null;
          hot_max: string | null;
          hot_target: string | null;
        }[];
      } | null;
    };
    ChainTransfer: {
      reference: string;
      /** @enum {string} */
      kind: 'payout' | 'sweep' | 'to-cold' | 'gas';
      network: string;
      currency: string;
      amount: string;
      from_address: string;
      to_address: string | null;
      /** @enum {string} */
      state: 'waiting' | 'sent' | 'completed' | 'failed';
      held_by: string | null;
      failure: string | null;
      nonce: number | null;
      transaction_hash: string | null;
      block_number: number | null;
      confirmations: number;
      fee_coins: string | null;
      cancelled_by: string | null;
      created_at: string;
      updated_at: string;
    };
    WholeChainTransfer: {
      reference: string;
      /** @enum {string} */
      kind: 'payout' | 'sweep' | 'to-cold' | 'gas';
      network: string;
      currency: string;
      amount: string;
      from_address: string;
      to_address: string | null;
      /** @enum {string} */
      state: 'waiting' | 'sent' | 'completed' | 'failed';
      held_by: string | null;
      failure: string | null;
      nonce: number | null;
      transaction_hash: string | null;
      block_number: number | null;
      confirmations: number;
      fee_coins: string | null;
      cancelled_by: string | null;
      created_at: string;
      updated_at: string;
      deposit_address_index: number | null;
      cancel_reason: string | null;
      cancelled_at: string | null;
      sent_at: string | null;
      attempts: {
        number: number;
        cancels: boolean;
        gas: number;
        max_fee_per_gas: string;
        max_priority_fee_per_gas: string;
        transaction_hash: string | null;
        refused: string | null;
        created_at: string;
        broadcast_at: string | null;
      }[];
    };
    UnrecognisedTransfer: {
      id: string;
      network: string;
      transaction_hash: string;
      to_address: string;
      token: string;
      currency: string | null;
      units: string;
      amount: string | null;
      block_number: number;
      standing: string;
      reason: string;
      wallet_id: string;
      merchant_id: string;
      seen_at: string;
    };
    HeardService: {
      service: string;
      instances: {
        instance: string;
        started_at: string;
        ready: boolean;
        phase: string;
        broken: string[];
        heard_at: string;
        is_silent: boolean;
      }[];
    };
    Shards: {
      read_at: string;
      shards: {
        shard: number;
        database: string;
        holder: string | null;
        is_held: boolean;
        lease_expires_at: string | null;
        epoch: number;
        head_position: number;
        reserved_until: string | null;
      }[];
      lost_databases: string[];
      instances: {
        instance: string;
        joined_at: string;
        seen_at: string;
      }[];
    };
    ParkedFacts: {
      service: string;
      is_away: boolean;
      total: number;
      facts: {
        consumer: string;
        shard: number;
        position: number;
        movement: string;
        concerns: string;
        held_behind: number | null;
        attempts: number;
        reason: string | null;
        parked_at: string;
        retry_requested: boolean;
      }[];
    };
    /** @enum {string} */
    ActKind: 'sign-in' | 'people' | 'money' | 'integration' | 'customers' | 'reading' | 'audit';
    /** @enum {string} */
    ActAction:
      | 'signed-in'
      | 'signed-out'
      | 'signed-out-everywhere'
      | 'session-refused'
      | 'passkey-added'
      | 'passkey-removed'
      | 'passkey-refused'
      | 'identity-connected'
      | 'identity-removed'
      | 'stepped-up'
      | 'member-invited'
      | 'member-removed'
      | 'role-changed'
      | 'payout-approved'
      | 'payout-rejected'
      | 'payout-ordered'
      | 'swap-ordered'
      | 'rescan-asked'
      | 'webhook-created'
      | 'webhook-changed'
      | 'webhook-deleted'
      | 'webhook-secret-rotated'
      | 'webhook-tested'
      | 'event-resent'
      | 'api-key-created'
      | 'api-key-rotated'
      | 'api-key-revoked'
      | 'kyc-decided'
      | 'customer-erased'
      | 'identity-read'
      | 'document-read'
      | 'transactions-exported'
      | 'statement-exported'
      | 'merchant-looked-at'
      | 'balance-explained'
      | 'audit-run-asked'
      | 'audit-run-cancelled';
    SeenMember: {
      member_id: string;
      name: string | null;
      is_you: boolean;
    };
    Act: {
      number: number;
      acted_at: string;
      action: components['schemas']['ActAction'];
      by: components['schemas']['SeenMember'] | null;
      member: components['schemas']['SeenMember'] | null;
      details: {
        [key: string]: string | number | boolean | null;
      };
      reason: string | null;
    };
    /** @enum {string} */
    AuditRunState: 'asked' | 'running' | 'sound' | 'finding' | 'failed' | 'interrupted' | 'cancelled';
    AuditProgress: {
      phase: string;
      done: number;
      total: number;
    } | null;
    AuditRun: {
      number: number;
      state: components['schemas']['AuditRunState'];
      asked_by: components['schemas']['SeenMember'];
      asked_at: string;
      cancelled_at: string | null;
      began_at: string | null;
      alive_at: string | null;
      running_seconds: number | null;
      progress: components['schemas']['AuditProgress'];
      ended_at: string | null;
      failure: string | null;
    };
    AuditRuns: {
      runner: {
        is_there: boolean;
        alive_at: string | null;
      };
      runs: components['schemas']['AuditRun'][];
    };
    SaidOfRun: {
      run: {
        number: number;
        state: components['schemas']['AuditRunState'];
        progress: components['schemas']['AuditProgress'];
        running_seconds: number | null;
        is_cancelled: boolean;
      } | null;
      is_runner_there: boolean;
    };
    WholeAuditRun: components['schemas']['AuditRun'] & {
      report: {
        ok: boolean;
        events: number;
        seconds: number;
        findings: string[];
        what_to_do: string[];
      } | null;
    };
    KeptReport: {
      number: number;
      kept_at: string;
      is_sound: boolean;
    };
    WholeReport: {
      number: number;
      kept_at: string;
      is_sound: boolean;
      report: {
        ok: boolean;
        statement: {
          number: number;
          origin: string;
          time: string;
        };
        currencies: {
          currency: string;
          covered: boolean;
          owed: string;
          held: string;
          held_elsewhere: string;
          spoken_for: string;
          surplus: string;
        }[];
        networks: {
          network: string;
          nodes: string[];
          block_number: number;
          block_hash: string;
          addresses: number;
          tokens: {
            currency: string;
            held: string;
            put_in: {
              transfers: number;
              amount: string;
            };
            taken_out: {
              transfers: number;
              amount: string;
            };
            booked: string;
            explained: {
              [key: string]: {
                transfers: number;
                amount: string;
              };
            };
            unexplained: string;
            findings: {
              amount: string;
              problem: string;
              since?: string;
            }[];
          }[];
        }[];
        not_looked_at: {
          network: string;
          currency: string;
          booked: string;
          open: boolean;
        }[];
      };
    };
    /** @enum {string} */
    Role: 'viewer' | 'developer' | 'payer' | 'approver' | 'admin' | 'support' | 'operations' | 'compliance' | 'auditor';
    Session: {
      person: {
        person_id: string;
        name: string;
        email: string;
      };
      member_id: string;
      /** @enum {string} */
      side: 'merchant' | 'operator';
      role: components['schemas']['Role'];
      merchant: {
        merchant_id: string;
        name: string;
        mode: string;
      } | null;
      passkeys: number;
      stepped_up_until: string | null;
      signed_in_at: string;
      signed_in_by: ('link' | 'passkey' | 'oidc') | null;
    };
    Unrecognised: {
      id: string;
      network: string;
      transaction_hash: string;
      from_address: string | null;
      to_address: string;
      token: string;
      currency: string | null;
      units: string;
      amount: string | null;
      block_number: number;
      /** @enum {string} */
      standing: 'included' | 'final' | 'orphaned' | 'gone';
      /** @enum {string} */
      reason:
        | 'unknown_token'
        | 'below_smallest_unit'
        | 'wrong_currency'
        | 'network_without_address'
        | 'customer_closed'
        | 'unknown_wallet'
        | 'refused_by_ledger'
        | 'rejected_by_screening';
      wallet_id: string;
      seen_at: string;
      explorer_url: string | null;
    };
    Signer: {
      /** @enum {string} */
      kind: 'person' | 'api_key';
      id: string;
      name: string | null;
      is_you: boolean;
    };
    TransactionSigners: {
      created_by: components['schemas']['Signer'] | null;
      approvals: (components['schemas']['Signer'] & {
        approved_at: string;
      })[];
    };
    MovementFigures: {
      /** @enum {string} */
      transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
      /** @enum {string} */
      transaction_mode: 'CREDIT' | 'DEBIT';
      opened: string;
      completed: string;
      failed: string;
      reversed: string;
      opened_amount: string;
      settled_amount: string;
      settled_fees: string;
      p50_ms: string | null;
      p95_ms: string | null;
    };
    DailyFigures: {
      currency: string | null;
      start_date: string;
      end_date: string;
      currencies: {
        currency: string;
        transactions: string;
      }[];
      days: {
        day: string;
        movements: components['schemas']['MovementFigures'][];
      }[];
      total: components['schemas']['MovementFigures'][];
      failures: {
        /** @enum {string} */
        transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
        /** @enum {string} */
        reason: 'rejected' | 'approval_expired' | 'not_paid_out' | 'deposit_not_final';
        transactions: string;
        amount: string;
      }[];
      counted_until: string | null;
    };
    DailyBalances: {
      wallet_id: string;
      currency: string;
      days: {
        day: string;
        balance: string;
      }[];
    };
    Identity: {
      created_at: string;
      last_used_at: string | null;
    };
    SignedCheckpoint: {
      origin: string;
      size: number;
      root: string;
      created_at: string;
      key_id: string;
      public_key: string;
      verifier_key: string;
      checkpoint: string;
    };
    Shard: {
      shard: number;
      events: number;
      checkpoint: components['schemas']['SignedCheckpoint'] | null;
    };
    BalanceEvent: {
      position: number;
      recorded_at: string;
      movement: string;
      type: string;
      change: string;
      balance_after: string | null;
      transaction_id: string | null;
      hash: string;
    };
    BalanceExplanation: {
      wallet_id: string;
      merchant_id: string;
      shard: number;
      currency: string;
      balance: string;
      opening: string;
      events: components['schemas']['BalanceEvent'][];
      earlier: string | null;
    };
    Passkey: {
      passkey_id: string;
      name: string;
      created_at: string;
      last_used_at: string | null;
    };
    Member: {
      member_id: string;
      person_id: string;
      name: string;
      email: string;
      role: components['schemas']['Role'];
      /** @enum {string} */
      status: 'invited' | 'active';
      last_seen_at: string | null;
    };
    Invitation: {
      invitation_id: string;
      link: string;
      expires_at: string;
    };
    Pagination: {
      /**
       * @description How many items the whole list has.
       * @example 42
       */
      total: number;
      /**
       * @description Which page, from 1.
       * @example 1
       */
      page: number;
      /**
       * @description How many items a page has at most.
       * @example 20
       */
      limit: number;
      /**
       * @description How many pages there are; 0 for an empty list.
       * @example 3
       */
      totalPages: number;
    };
    Approval: {
      /**
       * Format: uuid
       * @description The key that approved it, by its id.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      api_key_id: string;
      /**
       * Format: date-time
       * @description When it was approved.
       * @example 2026-01-31T09:30:00.000Z
       */
      approved_at: string;
    };
    Transaction: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * Format: uuid
       * @description The wallet that the money leaves; null when it comes from outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      sender_wallet_id: string | null;
      /**
       * Format: uuid
       * @description The wallet that the money reaches; null when it goes outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      receiver_wallet_id: string | null;
      /**
       * @description Short identifier of the transaction.
       * @example K7Q2ZP9X4B
       */
      transaction_id: string;
      /**
       * @description The currency.
       * @enum {string}
       */
      asset_code: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description The amount: 8 decimals.
       * @example 10.50000000
       */
      amount: string;
      /**
       * Format: uuid
       * @description Groups related transactions; for a swap its swapId.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      reference_id: string;
      /**
       * @description In which state it is.
       * @enum {string}
       */
      status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED';
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
      /**
       * @description The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
       * @example 0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd
       */
      crypto_transaction_id: string | null;
      /**
       * @description The blockchain network, in lower case.
       * @enum {string|null}
       */
      network: 'erc20' | 'bep20' | 'solana' | 'trc20' | 'polygon' | null;
      /**
       * @description What kind of movement it is.
       * @enum {string}
       */
      transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
      /**
       * @description Whether the wallet gains or gives.
       * @enum {string}
       */
      transaction_mode: 'CREDIT' | 'DEBIT';
      /**
       * @description The price at which the amount was exchanged or valued.
       * @example 1489.55
       */
      exchange_rate: string | null;
      /**
       * @description Who is paid.
       * @example Ada Obi
       */
      withdrawal_recipient_name: string | null;
      /**
       * @description What the payout cost on top of the amount; null: nothing.
       * @example 0.50000000
       */
      fee: string | null;
      /**
       * @description The balance of the wallet right after the latest event of the transaction.
       * @example 89.50000000
       */
      balance: string;
      /**
       * @description For payouts, where the money goes.
       * @example Payout to 0123456789 (058)
       */
      reason: string | null;
      /**
       * Format: uuid
       * @description The customer that it belongs to or concerns; null or left out: the merchant itself.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      customer_id: string | null;
      /**
       * @description Currency of the account that is paid; left out, that of the payout if fiat, else USD.
       * @enum {string|null}
       */
      recipient_currency: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD' | null;
      /**
       * @description Country of the account that is paid.
       * @example Nigeria
       */
      recipient_country: string | null;
      /**
       * @description Name of the bank.
       * @example First Bank
       */
      bank_name: string | null;
      /**
       * @description Code of the bank.
       * @example 058
       */
      bank_code: string | null;
      /**
       * @description Number of the account that is paid.
       * @example 0123456789
       */
      bank_account: string | null;
      /**
       * @description The address that is paid.
       * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
       */
      address: string | null;
      /**
       * @description Where people look at that transaction; null for one that is on no chain.
       * @example https://etherscan.io/tx/0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd
       */
      explorer_url: string | null;
      /**
       * @description Of a PENDING deposit on an EVM network that is looked up by itself: the block that it is in, and those after it. Else null, and while the chain is not known.
       * @example 3
       */
      confirmations: number | null;
      /**
       * @description With how many of them it is credited; null where that is when its network calls the block final.
       * @example 12
       */
      confirmations_required: number | null;
      /**
       * @description Why a PENDING payout is not sent yet: `approval`, until enough other keys have approved it; `cooling_off`, until its destination has been known for long enough; `screening`, while its recipient is under review, told where it is looked up by itself. Else null.
       * @enum {string|null}
       */
      waiting_for: 'approval' | 'cooling_off' | 'screening' | null;
      /**
       * Format: date-time
       * @description Before then the payout is not sent; null where nothing has to be waited for.
       * @example 2026-01-31T09:30:00.000Z
       */
      send_after: string | null;
      /**
       * @description Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs none.
       * @example b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c
       */
      approval_hash: string | null;
      /**
       * @description How many keys must approve it; null for a payout that needs none.
       * @example 1
       */
      approvals_required: number | null;
      /** @description The approvals that are there; null for a payout that needs none. */
      approvals: components['schemas']['Approval'][] | null;
      /**
       * Format: date-time
       * @description If it is not approved by then, it fails and its money goes back; null for a payout that needs none.
       * @example 2026-01-31T09:30:00.000Z
       */
      approval_expires_at: string | null;
    };
    StatusStep: {
      /**
       * @description In which state it is.
       * @enum {string}
       */
      status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED';
      /**
       * Format: date-time
       * @description When the event was recorded.
       * @example 2026-01-31T09:30:00.000Z
       */
      recorded_at: string;
      /**
       * @description Where the event stands in the log of the shard, counted from 1.
       * @example 1204
       */
      position: number;
    };
    ExplainedEvent: {
      /**
       * @description Where the event stands in the log of the shard, counted from 1.
       * @example 1204
       */
      position: number;
      /**
       * @description Position of the first event of its group: what stands or falls together.
       * @example 1203
       */
      group: number;
      /**
       * @description What the group of events amounts to.
       * @enum {string}
       */
      movement:
        | 'wallet-opened'
        | 'deposit-address-added'
        | 'customer-closed'
        | 'deposit-recorded'
        | 'deposit-completed'
        | 'deposit-failed'
        | 'deposit-reversed'
        | 'swap-accepted'
        | 'swap-settled'
        | 'payout-accepted'
        | 'payout-completed'
        | 'payout-failed'
        | 'payout-reversed'
        | 'payout-waiting'
        | 'payout-approved'
        | 'payout-released'
        | 'policy-changed'
        | 'transfer-sent'
        | 'transfer-received';
      /**
       * Format: date-time
       * @description When the event was recorded.
       * @example 2026-01-31T09:30:00.000Z
       */
      recorded_at: string;
      /**
       * Format: uuid
       * @description The command that led to the event.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      command_id: string;
      /**
       * @description What kind of event it is.
       * @enum {string}
       */
      type: 'DebitPosted' | 'CreditPosted' | 'TransactionStatusChanged';
      /**
       * @description A wallet, or an account of the house.
       * @example payout-clearing:USD
       */
      account_id: string;
      /**
       * @description The currency posted; null for a step of the status.
       * @enum {string|null}
       */
      currency: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD' | null;
      /**
       * @description The amount posted; null for a step of the status.
       * @example 10.50000000
       */
      amount: string | null;
      /**
       * @description The status before; null for the first one, and for postings.
       * @enum {string|null}
       */
      from_status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED' | null;
      /**
       * @description The status from here on; null for postings.
       * @enum {string|null}
       */
      to_status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED' | null;
      /**
       * @description What the wallet held after the event; null for accounts of the house.
       * @example 10.50000000
       */
      balance_after: string | null;
      /**
       * @description The hash of the event as a leaf of the Merkle tree that checkpoints sign.
       * @example bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b
       */
      leaf_hash: string;
    };
    TransactionExplanation: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description Short identifier of the transaction.
       * @example K7Q2ZP9X4B
       */
      transaction_id: string;
      /**
       * Format: uuid
       * @description Groups related transactions; for a swap its swapId.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      reference_id: string;
      /**
       * @description What kind of movement it is.
       * @enum {string}
       */
      transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
      /**
       * @description Whether the wallet gains or gives.
       * @enum {string}
       */
      transaction_mode: 'CREDIT' | 'DEBIT';
      /**
       * @description The currency.
       * @enum {string}
       */
      asset_code: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description Its amount.
       * @example 10.50000000
       */
      amount: string;
      /**
       * @description What the payout cost on top of the amount; null: nothing.
       * @example 0.50000000
       */
      fee: string | null;
      /**
       * Format: uuid
       * @description The quote behind a swap; null for all else.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      quote_id: string | null;
      /**
       * @description What the bank or chain calls it, once it does.
       * @example BANK-REF-4711
       */
      rail_reference: string | null;
      /** @description The states it has gone through, in order. */
      statuses: components['schemas']['StatusStep'][];
      /**
       * @description Size of the newest checkpoint; null until one covers all of its events.
       * @example 1204
       */
      checkpoint_size: number | null;
      /** @description Its events, in whole groups, in the order of the log. */
      events: components['schemas']['ExplainedEvent'][];
    };
    ProvenEvent: {
      /**
       * @description Where the event stands in the log of the shard, counted from 1.
       * @example 1204
       */
      position: number;
      /**
       * @description The canonical text of the event, less the balance of its account.
       * @example {"shard":0,"position":1204}
       */
      statement: string;
      /**
       * @description The balance after the event, and what opens the commitment to it; null for accounts of the house.
       * @example {
       *       "after": "89.50000000",
       *       "salt": "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b"
       *     }
       */
      balance: {
        /**
         * @description The balance after the event; empty where there is none.
         * @example 89.50000000
         */
        after: string;
        /**
         * @description What the balance was hashed with.
         * @example bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b
         */
        salt: string;
      } | null;
      /**
       * @description In place of the balance, for accounts of the house: its hash.
       * @example bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b
       */
      commitment: string | null;
      /** @description The hashes beside the way to the root, the nearest first. */
      path: string[];
    };
    Proof: {
      /**
       * @description What kind of document this is, and its version.
       * @constant
       */
      format: 'stablecoin-ledger-proof/1';
      /**
       * @description Short identifier of the transaction.
       * @example K7Q2ZP9X4B
       */
      transaction_id: string;
      /**
       * @description The signed checkpoint (c2sp.org/tlog-checkpoint), line feeds included.
       * @example ledger.example.com/shard/0
       *     1204
       *     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
       *     time 2026-01-31T09:30:00.000Z
       *
       *     — ledger.example.com/shard/0 Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5
       */
      checkpoint: string;
      /** @description Whole groups of events, in the order of the log. */
      events: components['schemas']['ProvenEvent'][];
    };
    DepositAddress: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description The deposit address.
       * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
       */
      address: string;
      /**
       * @description The blockchain network, in lower case.
       * @enum {string}
       */
      network: 'erc20' | 'bep20' | 'solana' | 'trc20' | 'polygon';
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
    };
    Wallet: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description Whether it is national currency or a stablecoin.
       * @enum {string}
       */
      asset_type: 'FIAT' | 'STABLECOIN';
      /**
       * @description The currency.
       * @enum {string}
       */
      currency: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description What the wallet holds and can spend: 8 decimals. Below zero only by deposits that were reversed.
       * @example 10.50000000
       */
      balance: string;
      /**
       * @description A note of your own.
       * @example Float for payouts
       */
      description: string;
      /**
       * @description In which state it is.
       * @constant
       */
      status: 'active';
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
      /**
       * Format: uuid
       * @description The customer that it belongs to or concerns; null or left out: the merchant itself.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      customer_id: string | null;
      /** @description Deposit addresses, oldest first; none for fiat. */
      addresses: components['schemas']['DepositAddress'][];
    };
    PastBalance: {
      /**
       * Format: uuid
       * @description The wallet.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      wallet_id: string;
      /**
       * @description The currency.
       * @enum {string}
       */
      currency: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description What the wallet held; zero before it was opened.
       * @example 10.50000000
       */
      balance: string;
      /**
       * @description Position of the event after which it was this; null before the wallet was opened.
       * @example 1204
       */
      position: number | null;
      /**
       * Format: date-time
       * @description When the event was recorded.
       * @example 2026-01-31T09:30:00.000Z
       */
      recorded_at: string | null;
    };
    EventCustomer: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description Whether the customer is a person or a business.
       * @enum {string}
       */
      customer_type: 'individual' | 'business';
      /**
       * @description In which state it is.
       * @enum {string}
       */
      status: 'active' | 'closed';
      /**
       * @description How far the compliance review has come; payouts need approved.
       * @enum {string}
       */
      kyc_status: 'not_started' | 'under_review' | 'approved' | 'rejected';
      /**
       * Format: date-time
       * @description When it was created.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
    };
    CustomerCreatedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.created';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventCustomer'];
    };
    CustomerUpdatedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.updated';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventCustomer'];
    };
    CustomerClosedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.closed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventCustomer'];
    };
    EventTransaction: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description Short identifier of the transaction.
       * @example K7Q2ZP9X4B
       */
      transaction_id: string;
      /**
       * Format: uuid
       * @description Groups related transactions; for a swap its swapId.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      reference_id: string;
      /**
       * Format: uuid
       * @description The customer that it belongs to or concerns; null or left out: the merchant itself.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      customer_id: string | null;
      /**
       * Format: uuid
       * @description The wallet that the money leaves; null when it comes from outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      sender_wallet_id: string | null;
      /**
       * Format: uuid
       * @description The wallet that the money reaches; null when it goes outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      receiver_wallet_id: string | null;
      /**
       * @description What kind of movement it is.
       * @enum {string}
       */
      transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
      /**
       * @description Whether the wallet gains or gives.
       * @enum {string}
       */
      transaction_mode: 'CREDIT' | 'DEBIT';
      /**
       * @description The currency.
       * @enum {string}
       */
      asset_code: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description The amount: 8 decimals.
       * @example 10.50000000
       */
      amount: string;
      /**
       * @description In which state it is.
       * @enum {string}
       */
      status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED';
      /**
       * @description The blockchain network, in lower case.
       * @enum {string|null}
       */
      network: 'erc20' | 'bep20' | 'solana' | 'trc20' | 'polygon' | null;
      /**
       * @description The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
       * @example 0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd
       */
      crypto_transaction_id: string | null;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
    };
    DepositPendingEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'deposit.pending';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
    };
    DepositCompletedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'deposit.completed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
    };
    DepositFailedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'deposit.failed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
    };
    DepositReversedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'deposit.reversed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
    };
    EventSwap: {
      /**
       * Format: uuid
       * @description The swap: the id of its quote, and the reference_id of both transactions.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      swapId: string;
      /** @description What leaves the wallet in from_currency. */
      debitTransaction: components['schemas']['EventTransaction'];
      /** @description What arrives in the wallet in to_currency. */
      creditTransaction: components['schemas']['EventTransaction'];
    };
    SwapCompletedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'swap.completed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventSwap'];
    };
    EventApproval: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description Short identifier of the transaction.
       * @example K7Q2ZP9X4B
       */
      transaction_id: string;
      /**
       * Format: uuid
       * @description Groups related transactions; for a swap its swapId.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      reference_id: string;
      /**
       * Format: uuid
       * @description The customer that it belongs to or concerns; null or left out: the merchant itself.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      customer_id: string | null;
      /**
       * Format: uuid
       * @description The wallet that the money leaves; null when it comes from outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      sender_wallet_id: string | null;
      /**
       * Format: uuid
       * @description The wallet that the money reaches; null when it goes outside.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      receiver_wallet_id: string | null;
      /**
       * @description What kind of movement it is.
       * @enum {string}
       */
      transaction_type: 'DEPOSIT' | 'PAYOUT' | 'INTERNAL TRANSFER';
      /**
       * @description Whether the wallet gains or gives.
       * @enum {string}
       */
      transaction_mode: 'CREDIT' | 'DEBIT';
      /**
       * @description The currency.
       * @enum {string}
       */
      asset_code: 'USDC' | 'USDT' | 'USD' | 'NGN' | 'GBP' | 'EUR' | 'CAD';
      /**
       * @description The amount: 8 decimals.
       * @example 10.50000000
       */
      amount: string;
      /**
       * @description In which state it is.
       * @enum {string}
       */
      status: 'PENDING' | 'COMPLETED' | 'REVERSED' | 'FAILED';
      /**
       * @description The blockchain network, in lower case.
       * @enum {string|null}
       */
      network: 'erc20' | 'bep20' | 'solana' | 'trc20' | 'polygon' | null;
      /**
       * @description The transaction on the chain. Of a PENDING payout only where it is looked up by itself, as soon as it is signed: it can be replaced by one with a higher fee, and the one that was mined stays.
       * @example 0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd
       */
      crypto_transaction_id: string | null;
      /**
       * Format: date-time
       * @description When it was last changed.
       * @example 2026-01-31T09:30:00.000Z
       */
      updated_at: string;
      /**
       * @description Stands for exactly what the payout sends: an approver sends it with the approval. Null for a payout that needs none.
       * @example b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c
       */
      approval_hash: string;
      /**
       * Format: date-time
       * @description If it is not approved by then, it fails and its money goes back; null for a payout that needs none.
       * @example 2026-01-31T09:30:00.000Z
       */
      approval_expires_at: string;
    };
    PayoutApprovalRequiredEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payout.approval_required';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventApproval'];
    };
    PayoutCompletedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payout.completed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
    };
    PayoutFailedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payout.failed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
    };
    PayoutReversedEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payout.reversed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
    };
    EventTest: {
      /**
       * Format: uuid
       * @description The webhook.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      webhook_id: string;
    };
    WebhookTestEvent: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'webhook.test';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTest'];
    };
    EventDelivery: {
      /**
       * Format: uuid
       * @description The webhook.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      webhook_id: string;
      /**
       * @description Where events are sent: https, or with a test key http on this machine.
       * @example https://merchant.example/hooks
       */
      url: string;
      /**
       * @description pending until it was taken with a 2xx, or given up.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed';
      /**
       * @description How many attempts there were, of at most ten.
       * @example 1
       */
      attempts: number;
      /**
       * Format: date-time
       * @description When the last attempt was made.
       * @example 2026-01-31T09:30:00.000Z
       */
      last_attempt_at: string | null;
      /**
       * Format: date-time
       * @description When the next one is due.
       * @example 2026-01-31T09:30:00.000Z
       */
      next_attempt_at: string | null;
      /**
       * @description The HTTP status of the last answer.
       * @example 200
       */
      response_status: number | null;
      /**
       * @description Why the last attempt was not a success.
       * @enum {string|null}
       */
      error:
        | 'refused_by_receiver'
        | 'timeout'
        | 'connection_failed'
        | 'host_not_found'
        | 'private_address'
        | 'webhook_disabled'
        | 'webhook_deleted'
        | null;
    };
    CustomerCreatedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.created';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventCustomer'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    CustomerUpdatedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.updated';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventCustomer'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    CustomerClosedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'customer.closed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventCustomer'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    DepositPendingEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'deposit.pending';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    DepositCompletedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'deposit.completed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    DepositFailedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'deposit.failed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    DepositReversedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'deposit.reversed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    SwapCompletedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'swap.completed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventSwap'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    PayoutApprovalRequiredEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payout.approval_required';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventApproval'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    PayoutCompletedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payout.completed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    PayoutFailedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payout.failed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    PayoutReversedEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'payout.reversed';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTransaction'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    WebhookTestEventWithDeliveries: {
      /**
       * Format: uuid
       * @description Identifies the resource.
       * @example 0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80
       */
      id: string;
      /**
       * @description What happened. (enum property replaced by openapi-typescript)
       * @enum {string}
       */
      type: 'webhook.test';
      /**
       * Format: date-time
       * @description When it happened.
       * @example 2026-01-31T09:30:00.000Z
       */
      created_at: string;
      /**
       * @description Counts the events of one resource: 1, 2, 3 … What arrives out of order is put in order by it.
       * @example 1
       */
      sequence: number;
      /** @description The resource as it was then: ids, states and amounts, never personal data. */
      data: components['schemas']['EventTest'];
      /** @description How the event fared at each webhook, oldest webhook first. */
      deliveries: components['schemas']['EventDelivery'][];
    };
    PersonalDetails: {
      /**
       * @description Given name.
       * @example Ada
       */
      first_name: string;
      /**
       * @description Middle name.
       * @example Ngozi
       */
      middle_name: string | null;
      /**
       * @description Family name.
       * @example Obi
       */
      last_name: string;
      /**
       * @description Date of birth, as midnight UTC.
       * @example 1990-05-17T00:00:00.000Z
       */
      birth_date: string;
    };
    BusinessDetails: {
      /**
       * @description Registered name.
       * @example Marina Traders Ltd
       */
      business_name: string;
      /**
       * @description Legal form.
       * @example LIMITED_LIABILITY_COMPANY
       */
      business_type: string | null;
      /**
       * @description Web site.
       * @example https://marina.example.com
       */
      business_website: string | null;
    };
    FinancialDetails: {
      /**
       * @description What the account is for.
       * @example Personal or living expenses
       */
      account_purpose: string | null;
      /**
       * @description Expected income in a month, in local currency: zero or more, at most 2 decimals.
       * @example 2500.50
       */
      expected_monthly_income: string | null;
      /**
       * @description Where the money comes from.
       * @example Salary
       */
      source_of_funds: string | null;
      /**
       * @description How the person earns a living.
       * @example Self employed
       */
      employment_status: string | null;
      /**
       * @description Latest occupation: an SOC code, printed as its title.
       * @example Software developers
       */
      most_recent_occupation: string | null;
    };
    CustomerAddress: {
      /**
       * @description First line of the street address.
       * @example 12 Marina Road
       */
      line_1: string;
      /**
       * @description Second line of the street address.
       * @example Floor 3
       */
      line_2: string | null;
      /**
       * @description City or town.
       * @example Lagos
       */
      city: string;
      /**
       * @description State, province or region.
       * @example Lagos
       */
      state: string;
      /**
       * @description Postal code.
       * @example 100221
       */
      postal_code: string | null;
      /**
       * @description English name of the country.
       * @example Nigeria
       */
      country: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  getSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  endSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  endAllSessions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  signInByLink: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          token: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  signInOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            options: {
              [key: string]: unknown;
            };
          };
        };
      };
    };
  };
  signInByPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          response: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  stepUpOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            options: {
              [key: string]: unknown;
            };
          };
        };
      };
    };
  };
  stepUp: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          response: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Session'];
        };
      };
    };
  };
  passkeyOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            options: {
              [key: string]: unknown;
            };
          };
        };
      };
    };
  };
  removePasskey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        passkey_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listPasskeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Those of the person who is signed in. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Passkey'][];
          };
        };
      };
    };
  };
  addPasskey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name: string;
          response: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  signInWays: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            passkey: boolean;
            oidc: {
              name: string;
            } | null;
          };
        };
      };
    };
  };
  showIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The account at the identity provider that signs the person in who asks. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            identity: components['schemas']['Identity'] | null;
          };
        };
      };
    };
  };
  removeIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  connectIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Where the browser goes. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            url: string;
          };
        };
      };
    };
  };
  listSignedShards: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Each shard of the ledger with what was signed of it last. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Shard'][];
          };
        };
      };
    };
  };
  listShardCheckpoints: {
    parameters: {
      query?: {
        page?: number;
        limit?: number;
      };
      header?: never;
      path: {
        shard: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['SignedCheckpoint'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  proveShardConsistency: {
    parameters: {
      query: {
        from: number;
        to: number;
      };
      header?: never;
      path: {
        shard: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A document that the browser checks. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: {
              [key: string]: unknown;
            };
          };
        };
      };
    };
  };
  explainBalance: {
    parameters: {
      query?: {
        as_of?: string;
        limit?: number;
      };
      header?: never;
      path: {
        wallet_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The events that make it up. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['BalanceExplanation'];
          };
        };
      };
    };
  };
  listAuditRuns: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['AuditRuns'];
          };
        };
      };
    };
  };
  askForAuditRun: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: {
              number: number;
            };
          };
        };
      };
    };
  };
  getAuditRun: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        number: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WholeAuditRun'];
          };
        };
      };
    };
  };
  cancelAuditRun: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        number: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listMembers: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Member'][];
          };
        };
      };
    };
  };
  removeMember: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        member_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  changeMember: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        member_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          role: components['schemas']['Role'];
        };
      };
    };
    responses: {
      /** @description Done. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listActs: {
    parameters: {
      query?: {
        kind?: components['schemas']['ActKind'];
        member_id?: string;
        before?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: {
              earlier: number | null;
              acts: components['schemas']['Act'][];
            };
          };
        };
      };
    };
  };
  inviteMember: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          email: string;
          name: string;
          role: components['schemas']['Role'];
        };
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Invitation'];
        };
      };
    };
  };
  getMerchant: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        merchant_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Merchant'];
          };
        };
      };
    };
  };
  listMerchants: {
    parameters: {
      query?: {
        search?: string;
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Merchant'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  getTreasury: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: {
              is_away: boolean;
              networks: components['schemas']['NetworkHoldings'][];
            };
          };
        };
      };
    };
  };
  listTransfers: {
    parameters: {
      query?: {
        state?: string;
        network?: string;
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['ChainTransfer'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  getTransfer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['WholeChainTransfer'];
          };
        };
      };
    };
  };
  listUnrecognised: {
    parameters: {
      query?: {
        reason?: string;
        network?: string;
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['UnrecognisedTransfer'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  rescan: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          network: string;
          from_block: number;
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Record<string, never>;
          };
        };
      };
    };
  };
  listServices: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: {
              listening_since: string;
              services: components['schemas']['HeardService'][];
            };
          };
        };
      };
    };
  };
  listShards: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Shards'];
          };
        };
      };
    };
  };
  listParkedFacts: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['ParkedFacts'][];
          };
        };
      };
    };
  };
  listReports: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['KeptReport'][];
          };
        };
      };
    };
  };
  getReport: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        number: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['WholeReport'];
          };
        };
      };
    };
  };
  listTransactions: {
    parameters: {
      query?: {
        currency?: string;
        end_date?: string;
        customer_id?: string;
        search?: string;
        status?: string;
        transaction_id?: string;
        transaction_type?: string;
        transaction_mode?: string;
        waiting_for?: string;
        start_date?: string;
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Transaction'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  getTransaction: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        transaction_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Transaction'];
          };
        };
      };
    };
  };
  explainTransaction: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        transaction_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['TransactionExplanation'];
          };
        };
      };
    };
  };
  proveTransaction: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        transaction_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Proof'];
          };
        };
      };
    };
  };
  listWallets: {
    parameters: {
      query?: {
        customer_id?: string;
        currency?: string;
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Wallet'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  getWallet: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        wallet_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Wallet'];
          };
        };
      };
    };
  };
  getStatement: {
    parameters: {
      query?: {
        as_of?: string;
      };
      header?: never;
      path: {
        wallet_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['PastBalance'];
          };
        };
      };
    };
  };
  getFigures: {
    parameters: {
      query: {
        start_date: string;
        end_date: string;
        currency?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['DailyFigures'];
          };
        };
      };
    };
  };
  getBalances: {
    parameters: {
      query: {
        start_date: string;
        end_date: string;
      };
      header?: never;
      path: {
        wallet_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['DailyBalances'];
          };
        };
      };
    };
  };
  listDeposits: {
    parameters: {
      query?: {
        status?: string;
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Transaction'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  listOwnUnrecognised: {
    parameters: {
      query?: {
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Unrecognised'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  getSigners: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        transaction_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['TransactionSigners'];
          };
        };
      };
    };
  };
  listApprovals: {
    parameters: {
      query?: {
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            status: 'success';
            data: components['schemas']['Transaction'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  bankPayoutOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['BankPayout'];
      };
    };
    responses: {
      /** @description What would happen. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OfferedPayout'];
        };
      };
    };
  };
  walletPayoutOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WalletPayout'];
      };
    };
    responses: {
      /** @description What would happen. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OfferedPayout'];
        };
      };
    };
  };
  pay: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SignedOrder'];
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Transaction'];
          };
        };
      };
    };
  };
  swapOptions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SwapTerms'];
      };
    };
    responses: {
      /** @description What would happen. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OfferedSwap'];
        };
      };
    };
  };
  swap: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SignedOrder'];
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ExecutedSwap'];
          };
        };
      };
    };
  };
  approvalOptions: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        transaction_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            options: {
              [key: string]: unknown;
            };
          };
        };
      };
    };
  };
  approvePayout: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        transaction_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          approval_hash: string;
          response: {
            [key: string]: unknown;
          };
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  rejectPayout: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        transaction_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Webhook'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          url: string;
          description?: string | null;
          events?: string[] | null;
        };
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NewWebhook'];
          };
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @enum {string} */
          status?: 'enabled' | 'disabled';
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Webhook'];
          };
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RotatedWebhook'];
          };
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhook_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['WebhookTest'];
          };
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Event'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  getEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        event_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['EventWithDeliveries'];
          };
        };
      };
    };
  };
  resendEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        event_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['EventWithDeliveries'];
          };
        };
      };
    };
  };
  listKeys: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ApiKeys'];
          };
        };
      };
    };
  };
  createKey: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          name: string;
          scopes: components['schemas']['Scope'][];
          allowed_addresses?: string[];
        };
      };
    };
    responses: {
      /** @description Done. */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['NewApiKey'];
          };
        };
      };
    };
  };
  rotateKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        key_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          grace_hours: number;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['RotatedApiKey'];
          };
        };
      };
    };
  };
  revokeKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        key_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: {
              id: string;
              revoked_at: string;
            };
          };
        };
      };
    };
  };
  listCustomers: {
    parameters: {
      query?: {
        page?: string;
        limit?: string;
        status?: string;
        customer_type?: string;
        search?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ShownCustomer'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  getCustomer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ShownCustomer'];
          };
        };
      };
    };
  };
  getCustomerFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['CustomerFile'];
          };
        };
      };
    };
  };
  openDocument: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
        document_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['OpenedDocument'];
          };
        };
      };
    };
  };
  listCases: {
    parameters: {
      query?: {
        page?: string;
        limit?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Case'][];
            pagination: components['schemas']['Pagination'];
          };
        };
      };
    };
  };
  getCase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['Case'];
          };
        };
      };
    };
  };
  getCaseFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['CustomerFile'];
          };
        };
      };
    };
  };
  openIdentity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['ShownCustomer'];
          };
        };
      };
    };
  };
  decideCase: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @enum {string} */
          kyc_status: 'under_review' | 'approved' | 'rejected';
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Record<string, never>;
          };
        };
      };
    };
  };
  eraseCustomer: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          confirmed_customer_id: string;
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: Record<string, never>;
          };
        };
      };
    };
  };
  openCaseDocument: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        customer_id: string;
        document_id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          reason: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            data: components['schemas']['OpenedDocument'];
          };
        };
      };
    };
  };
}
