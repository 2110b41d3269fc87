/** What a schema of the document is called in the SDKs, where its own name would not read well there. */
const NAME_BY_SCHEMA: Readonly<Record<string, string>> = {
  AddBankMethodBody: 'BankPayoutMethodParams',
  AddWalletMethodBody: 'WalletPayoutMethodParams',
  AssetCode: 'Asset',
  BusinessOwnerBody: 'BusinessOwnerParams',
  CreateBusinessBody: 'BusinessCustomerParams',
  CreateIndividualBody: 'IndividualCustomerParams',
  CreateQuoteBody: 'QuoteParams',
  CreateWebhookBody: 'WebhookParams',
  DeletePayoutMethodBody: 'PayoutMethodDeleteParams',
  ExecuteSwapBody: 'SwapParams',
  NewPayout: 'Payout',
  OpenWalletBody: 'WalletParams',
  ApprovePayoutBody: 'PayoutApprovalParams',
  PayOutToBankBody: 'BankPayoutParams',
  PayOutToWalletBody: 'WalletPayoutParams',
  RefreshQuoteBody: 'QuoteRefreshParams',
  SimulateDepositBody: 'SandboxDepositParams',
  SwapQuote: 'Quote',
  UpdateBusinessBody: 'BusinessCustomerUpdateParams',
  UpdateIndividualBody: 'IndividualCustomerUpdateParams',
  UpdateWebhookBody: 'WebhookUpdateParams',
};

/** Choices that stand in many places get a name: its name here, and a place where the document has the same values. */
export const NAMED_CHOICES: Readonly<Record<string, string>> = {
  AccountPurpose: 'CreateIndividualBody.account_purpose',
  AssetType: 'Wallet.asset_type',
  Currency: 'Wallet.currency',
  CustomerStatus: 'EventCustomer.status',
  CustomerType: 'EventCustomer.customer_type',
  DeliveryError: 'EventDelivery.error',
  EmploymentStatus: 'CreateIndividualBody.employment_status',
  FieldErrorCode: 'FieldError.code',
  FiatCurrency: 'PayOutToBankBody.recipient_currency',
  KycStatus: 'EventCustomer.kyc_status',
  Network: 'DepositAddress.network',
  Occupation: 'CreateIndividualBody.most_recent_occupation',
  SourceOfFunds: 'CreateIndividualBody.source_of_funds',
  TransactionMode: 'Transaction.transaction_mode',
  TransactionStatus: 'Transaction.status',
  TransactionType: 'Transaction.transaction_type',
  WebhookEventType: 'CreateWebhookBody.events',
  WebhookStatus: 'Webhook.status',
};

export const typeNameOf = (schemaName: string): string => NAME_BY_SCHEMA[schemaName] ?? schemaName;
