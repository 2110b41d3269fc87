/** What an operation is called in the SDKs: part of their interface, as an `operationId` is, so a name given stays. */
export interface MethodName {
  /** `resource.method`, camelCase; Python has it in snake_case. */
  name: string;
  /** What its query parameters are called together; required where it has some. */
  query?: string;
}

/** By operationId, in the order in which resources and methods stand in the SDKs. */
export const METHOD_NAMES: Readonly<Record<string, MethodName>> = {
  listCustomers: { name: 'customers.list', query: 'CustomerListParams' },
  getCustomer: { name: 'customers.get' },
  createIndividualCustomer: { name: 'customers.createIndividual' },
  updateIndividualCustomer: { name: 'customers.updateIndividual' },
  createBusinessCustomer: { name: 'customers.createBusiness' },
  updateBusinessCustomer: { name: 'customers.updateBusiness' },
  closeCustomer: { name: 'customers.close' },
  uploadDocument: { name: 'documents.upload' },
  openWallet: { name: 'wallets.open' },
  listWallets: { name: 'wallets.list', query: 'WalletListParams' },
  getWallet: { name: 'wallets.get' },
  listAssetCodes: { name: 'assets.list', query: 'AssetListParams' },
  createSandboxDeposit: { name: 'sandbox.deposit' },
  completeSandboxPayout: { name: 'sandbox.completePayout' },
  failSandboxPayout: { name: 'sandbox.failPayout' },
  returnSandboxPayout: { name: 'sandbox.returnPayout' },
  createQuote: { name: 'quotes.create' },
  refreshQuote: { name: 'quotes.refresh' },
  executeSwap: { name: 'swaps.execute' },
  getSwap: { name: 'swaps.get' },
  createBankPayout: { name: 'payouts.createToBank' },
  createWalletPayout: { name: 'payouts.createToWallet' },
  listPayoutMethods: { name: 'payoutMethods.list', query: 'PayoutMethodListParams' },
  addBankPayoutMethod: { name: 'payoutMethods.addBank' },
  addWalletPayoutMethod: { name: 'payoutMethods.addWallet' },
  deletePayoutMethod: { name: 'payoutMethods.delete' },
  listTransactions: { name: 'transactions.list', query: 'TransactionListParams' },
  listCustomerTransactions: { name: 'transactions.listByCustomer', query: 'CustomerTransactionListParams' },
  getTransaction: { name: 'transactions.get' },
  listTransactionsByReference: { name: 'transactions.listByReference' },
  createWebhook: { name: 'webhooks.create' },
  listWebhooks: { name: 'webhooks.list', query: 'WebhookListParams' },
  getWebhook: { name: 'webhooks.get' },
  updateWebhook: { name: 'webhooks.update' },
  deleteWebhook: { name: 'webhooks.delete' },
  rotateWebhookSecret: { name: 'webhooks.rotateSecret' },
  testWebhook: { name: 'webhooks.test' },
  listEvents: { name: 'events.list', query: 'EventListParams' },
  getEvent: { name: 'events.get' },
  resendEvent: { name: 'events.resend' },
  getPastBalance: { name: 'audit.balance', query: 'PastBalanceParams' },
  explainTransaction: { name: 'audit.explain' },
  proveTransaction: { name: 'audit.prove' },
  proveLiability: { name: 'audit.proveLiability' },
  listCheckpoints: { name: 'audit.checkpoints', query: 'CheckpointListParams' },
  proveConsistency: { name: 'audit.consistency', query: 'ConsistencyParams' },
};
