// Written by npm run docs, from docs/openapi.json.

import type { Call } from './call';
import type { RequestOptions, WriteOptions } from './operation';
import type { PageCall } from './pages';
import type { FileContent } from './request-body';
import type { Transport } from './transport';
import type {
  Asset,
  AssetListParams,
  BankPayoutMethod,
  BankPayoutMethodParams,
  BankPayoutParams,
  BusinessCustomerParams,
  BusinessCustomerUpdateParams,
  ChangedBusinessCustomer,
  ChangedIndividualCustomer,
  Checkpoint,
  CheckpointListParams,
  ConsistencyParams,
  ConsistencyProof,
  Customer,
  CustomerListParams,
  CustomerTransaction,
  CustomerTransactionListParams,
  Document,
  Event,
  EventListParams,
  EventWithDeliveries,
  ExecutedSwap,
  IndividualCustomerParams,
  IndividualCustomerUpdateParams,
  LiabilityProof,
  NewWebhook,
  OpenedWallet,
  PastBalance,
  PastBalanceParams,
  Payout,
  PayoutApprovalParams,
  PayoutDryRun,
  PayoutMethod,
  PayoutMethodDeleteParams,
  PayoutMethodListParams,
  PayoutPolicy,
  Proof,
  Quote,
  QuoteParams,
  QuoteRefreshParams,
  RotatedWebhook,
  SandboxDepositParams,
  SwapDryRun,
  SwapParams,
  Transaction,
  TransactionExplanation,
  TransactionListParams,
  Wallet,
  WalletListParams,
  WalletParams,
  WalletPayoutMethod,
  WalletPayoutMethodParams,
  WalletPayoutParams,
  Webhook,
  WebhookListParams,
  WebhookParams,
  WebhookTest,
  WebhookUpdateParams,
} from './types.generated';

export class CustomersResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List customers.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /customers`
   */
  list(params: CustomerListParams = {}, options?: RequestOptions): PageCall<Customer> {
    return this.transport.page<Customer>({ method: 'GET', path: '/customers', query: params }, options);
  }

  /**
   * Get one customer.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /customers/{customerId}`
   * @param customerId The customer.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  get(customerId: string, options?: RequestOptions): Call<Customer> {
    return this.transport.value<Customer>(
      { method: 'GET', path: '/customers/{customerId}', pathParameters: { customerId } },
      options,
    );
  }

  /**
   * Create an individual customer.
   *
   * Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.
   *
   * `POST /individual-customers`
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {DocumentUsedError} A customer has this document already; send the document again, and name the new document_id.
   * @throws {EmailTakenError} Another customer has this e-mail address; use another one, or update that customer.
   * @throws {PhoneTakenError} Another customer has this phone number; use another one, or update that customer.
   * @throws {StorageQuotaReachedError} The merchant has as many documents stored as it may; ask the operator for a higher quota.
   */
  createIndividual(params: IndividualCustomerParams, options?: WriteOptions): Call<ChangedIndividualCustomer> {
    return this.transport.value<ChangedIndividualCustomer>(
      { method: 'POST', path: '/individual-customers', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Update an individual customer; fields that are absent stay as they are.
   *
   * Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.
   *
   * `PUT /individual-customers/{customerId}`
   *
   * @example
   * ```ts
   * await client.customers.updateIndividual(customerId, {"registered_address":{"street1":"7 Broad Street","city":"Lagos","state":"Lagos","country":"NG"}});
   * ```
   * @param customerId The customer.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {CustomerTypeMismatchError} The customer is of the other type; use the endpoint for its customer_type.
   * @throws {DocumentUsedError} A customer has this document already; send the document again, and name the new document_id.
   * @throws {EmailTakenError} Another customer has this e-mail address; use another one, or update that customer.
   * @throws {PhoneTakenError} Another customer has this phone number; use another one, or update that customer.
   * @throws {StorageQuotaReachedError} The merchant has as many documents stored as it may; ask the operator for a higher quota.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   */
  updateIndividual(
    customerId: string,
    params: IndividualCustomerUpdateParams,
    options?: WriteOptions,
  ): Call<ChangedIndividualCustomer> {
    return this.transport.value<ChangedIndividualCustomer>(
      {
        method: 'PUT',
        path: '/individual-customers/{customerId}',
        pathParameters: { customerId },
        body: params,
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Create a business customer.
   *
   * Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.
   *
   * `POST /business-customers`
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {DocumentUsedError} A customer has this document already; send the document again, and name the new document_id.
   * @throws {EmailTakenError} Another customer has this e-mail address; use another one, or update that customer.
   * @throws {PhoneTakenError} Another customer has this phone number; use another one, or update that customer.
   * @throws {StorageQuotaReachedError} The merchant has as many documents stored as it may; ask the operator for a higher quota.
   */
  createBusiness(params: BusinessCustomerParams, options?: WriteOptions): Call<ChangedBusinessCustomer> {
    return this.transport.value<ChangedBusinessCustomer>(
      { method: 'POST', path: '/business-customers', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Update a business customer; fields that are absent stay as they are.
   *
   * Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.
   *
   * `PUT /business-customers/{customerId}`
   *
   * @example
   * ```ts
   * await client.customers.updateBusiness(customerId, {"business_website":"https://marina.example.com"});
   * ```
   * @param customerId The customer.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {CustomerTypeMismatchError} The customer is of the other type; use the endpoint for its customer_type.
   * @throws {DocumentUsedError} A customer has this document already; send the document again, and name the new document_id.
   * @throws {EmailTakenError} Another customer has this e-mail address; use another one, or update that customer.
   * @throws {PhoneTakenError} Another customer has this phone number; use another one, or update that customer.
   * @throws {StorageQuotaReachedError} The merchant has as many documents stored as it may; ask the operator for a higher quota.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   */
  updateBusiness(
    customerId: string,
    params: BusinessCustomerUpdateParams,
    options?: WriteOptions,
  ): Call<ChangedBusinessCustomer> {
    return this.transport.value<ChangedBusinessCustomer>(
      {
        method: 'PUT',
        path: '/business-customers/{customerId}',
        pathParameters: { customerId },
        body: params,
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Close a customer for good.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /customers/{customerId}/close`
   * @param customerId The customer.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {CustomerNotEmptyError} The customer still has money or open payouts; move the money out, then close it.
   */
  close(customerId: string, options?: WriteOptions): Call<Customer> {
    return this.transport.value<Customer>(
      {
        method: 'POST',
        path: '/customers/{customerId}/close',
        pathParameters: { customerId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }
}

export class DocumentsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Send a document by itself, for a customer that will refer to it within a day.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /documents`
   * @param file A PNG, JPEG or PDF of at most 5 MiB; its first bytes decide which. The only field.
   * @throws {StorageQuotaReachedError} The merchant has as many documents stored as it may; ask the operator for a higher quota.
   */
  upload(file: FileContent, options?: WriteOptions): Call<Document> {
    return this.transport.value<Document>(
      { method: 'POST', path: '/documents', file: { field: 'file', content: file }, takesIdempotencyKey: true },
      options,
    );
  }
}

export class WalletsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Create a wallet, or add a deposit address on a further network to the one that exists.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /wallets`
   *
   * @example
   * ```ts
   * await client.wallets.open({"currency":"USDT","network":"trc20"});
   * ```
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {WalletExistsError} The owner has this wallet already; use it, or name a network that it lacks.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   */
  open(params: WalletParams, options?: WriteOptions): Call<OpenedWallet> {
    return this.transport.value<OpenedWallet>(
      { method: 'POST', path: '/wallets', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * List the wallets of the merchant, or of one customer.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /wallets`
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  list(params: WalletListParams = {}, options?: RequestOptions): PageCall<Wallet> {
    return this.transport.page<Wallet>({ method: 'GET', path: '/wallets', query: params }, options);
  }

  /**
   * Get one wallet.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /wallets/{wallet_id}`
   * @param walletId The wallet.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  get(walletId: string, options?: RequestOptions): Call<Wallet> {
    return this.transport.value<Wallet>(
      { method: 'GET', path: '/wallets/{wallet_id}', pathParameters: { wallet_id: walletId } },
      options,
    );
  }
}

export class AssetsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List the supported assets.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /asset-codes`
   */
  list(params: AssetListParams = {}, options?: RequestOptions): Call<Asset[]> {
    return this.transport.value<Asset[]>({ method: 'GET', path: '/asset-codes', query: params }, options);
  }
}

export class SandboxResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Let a deposit arrive in a wallet.
   *
   * There is the wallet: `openWallet`. Needs a key with the scope `write`.
   *
   * `POST /sandbox/deposits`
   *
   * @example
   * ```ts
   * await client.sandbox.deposit({"currency":"USDT","amount":"100"});
   * ```
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   * @throws {WalletNotFoundError} The owner has no wallet in this currency; create it first.
   */
  deposit(params: SandboxDepositParams, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      { method: 'POST', path: '/sandbox/deposits', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Let a pending deposit become final.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /sandbox/deposits/{id}/complete`
   * @param depositId The payout: its id or its transaction_id.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {InvalidTransitionError} The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status.
   */
  completeDeposit(depositId: string, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'POST',
        path: '/sandbox/deposits/{id}/complete',
        pathParameters: { id: depositId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Let a pending deposit fail.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /sandbox/deposits/{id}/fail`
   * @param depositId The payout: its id or its transaction_id.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {InvalidTransitionError} The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status.
   */
  failDeposit(depositId: string, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'POST',
        path: '/sandbox/deposits/{id}/fail',
        pathParameters: { id: depositId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Let a completed deposit be reversed, its money spent or not.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /sandbox/deposits/{id}/reverse`
   * @param depositId The payout: its id or its transaction_id.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {InvalidTransitionError} The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status.
   */
  reverseDeposit(depositId: string, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'POST',
        path: '/sandbox/deposits/{id}/reverse',
        pathParameters: { id: depositId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Let a payout arrive.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /sandbox/payouts/{id}/complete`
   * @param payoutId The payout: its id or its transaction_id.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {InvalidTransitionError} The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status.
   */
  completePayout(payoutId: string, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'POST',
        path: '/sandbox/payouts/{id}/complete',
        pathParameters: { id: payoutId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Let a payout fail.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /sandbox/payouts/{id}/fail`
   * @param payoutId The payout: its id or its transaction_id.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {InvalidTransitionError} The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status.
   */
  failPayout(payoutId: string, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'POST',
        path: '/sandbox/payouts/{id}/fail',
        pathParameters: { id: payoutId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Let a completed payout come back.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /sandbox/payouts/{id}/return`
   * @param payoutId The payout: its id or its transaction_id.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {InvalidTransitionError} The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status.
   */
  returnPayout(payoutId: string, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'POST',
        path: '/sandbox/payouts/{id}/return',
        pathParameters: { id: payoutId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }
}

export class QuotesResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Create a swap quote.
   *
   * Needs a key with the scope `write`. Costs 2 of the rate limit, where most requests cost 1.
   *
   * `POST /instant-swaps`
   *
   * @example
   * ```ts
   * await client.quotes.create({"from_currency":"USDT","to_currency":"NGN","amount":"40"});
   * ```
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {UnsupportedPairError} These two currencies can not be exchanged; name two different ones.
   * @throws {AmountTooSmallError} The amount is too small to give anything in the other currency; raise it.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   */
  create(params: QuoteParams, options?: WriteOptions): Call<Quote> {
    return this.transport.innerValue<Quote>(
      { method: 'POST', path: '/instant-swaps', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Refresh a quote: same id, new price and expiry.
   *
   * The quote was made for the same currencies and amount, with `createQuote`, and is not used. Needs a key with the scope `write`. Costs 2 of the rate limit, where most requests cost 1.
   *
   * `POST /swaps/{swapId}/refresh`
   *
   * @example
   * ```ts
   * await client.quotes.refresh(swapId, {"from_currency":"USDT","to_currency":"NGN","from_amount":"40"});
   * ```
   * @param swapId The quote, which is the swap once it is executed.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {QuoteUsedError} This quote was used already; create a new one.
   * @throws {QuoteMismatchError} The quote is for other currencies or another amount; send those that it was made for.
   * @throws {AmountTooSmallError} The amount is too small to give anything in the other currency; raise it.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   */
  refresh(swapId: string, params: QuoteRefreshParams, options?: WriteOptions): Call<Quote> {
    return this.transport.innerValue<Quote>(
      {
        method: 'POST',
        path: '/swaps/{swapId}/refresh',
        pathParameters: { swapId },
        body: params,
        takesIdempotencyKey: true,
      },
      options,
    );
  }
}

export class SwapsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Execute a swap, on the latest open quote of this owner, pair and amount, or on the one named.
   *
   * There is an open quote (`createQuote`), a wallet in either currency (`openWallet`), and the money in the first one. Needs a key with the scope `write`. Costs 3 of the rate limit, where most requests cost 1.
   *
   * `POST /swaps`
   *
   * @example
   * ```ts
   * await client.swaps.execute({"from_currency":"USDT","to_currency":"NGN","amount":"40"});
   * ```
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {QuoteRequiredError} There is no open quote for this swap; create one first.
   * @throws {QuoteUsedError} This quote was used already; create a new one.
   * @throws {QuoteExpiredError} The quote has expired; refresh it and execute the swap again.
   * @throws {QuoteMismatchError} The quote is for other currencies or another amount; send those that it was made for.
   * @throws {UnsupportedPairError} These two currencies can not be exchanged; name two different ones.
   * @throws {WalletNotFoundError} The owner has no wallet in this currency; create it first.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   * @throws {InsufficientFundsError} The wallet does not hold enough for amount and fee; add money or lower the amount.
   */
  execute(params: SwapParams, options?: WriteOptions): Call<ExecutedSwap>;
  /** What `execute` would answer now, or its refusal; nothing is written. */
  execute(params: Omit<SwapParams, 'dry_run'> & { dry_run: true }, options?: WriteOptions): Call<SwapDryRun>;
  execute(
    params: SwapParams | (Omit<SwapParams, 'dry_run'> & { dry_run: true }),
    options?: WriteOptions,
  ): Call<ExecutedSwap | SwapDryRun> {
    return this.transport.value<ExecutedSwap | SwapDryRun>(
      { method: 'POST', path: '/swaps', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Get a quote, or the swap that was made of it.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /swaps/{swapId}`
   * @param swapId The quote, which is the swap once it is executed.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  get(swapId: string, options?: RequestOptions): Call<Quote> {
    return this.transport.value<Quote>({ method: 'GET', path: '/swaps/{swapId}', pathParameters: { swapId } }, options);
  }
}

export class PayoutsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Withdraw to a bank account.
   *
   * There is enough in the wallet in this currency: in the sandbox, after `createSandboxDeposit`. Needs a key with the scope `payout`.
   *
   * `POST /payouts/banks`
   *
   * @example
   * ```ts
   * await client.payouts.createToBank({"currency":"USDT","amount":"10","account_number":"0123456789","bank_name":"First Bank","bank_code":"011","recipient_name":"Ada Obi","recipient_currency":"NGN","recipient_country":"Nigeria"});
   * ```
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {KycRequiredError} The customer is not approved yet; payouts are possible once kyc_status is approved.
   * @throws {RailUnavailableError} No rail takes payouts of a live merchant there yet; nothing was held; ask your operator when there will be one.
   * @throws {WalletNotFoundError} The owner has no wallet in this currency; create it first.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   * @throws {LimitExceededError} The policy lets no such payout go out now; look the policy up, lower the amount, or wait until less has gone out.
   * @throws {InsufficientFundsError} The wallet does not hold enough for amount and fee; add money or lower the amount.
   */
  createToBank(params: BankPayoutParams, options?: WriteOptions): Call<Payout>;
  /** What `createToBank` would answer now, or its refusal; nothing is written. */
  createToBank(
    params: Omit<BankPayoutParams, 'dry_run'> & { dry_run: true },
    options?: WriteOptions,
  ): Call<PayoutDryRun>;
  createToBank(
    params: BankPayoutParams | (Omit<BankPayoutParams, 'dry_run'> & { dry_run: true }),
    options?: WriteOptions,
  ): Call<Payout | PayoutDryRun> {
    return this.transport.value<Payout | PayoutDryRun>(
      { method: 'POST', path: '/payouts/banks', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Withdraw to a crypto address.
   *
   * There is enough in the wallet in this currency: in the sandbox, after `createSandboxDeposit`. Needs a key with the scope `payout`.
   *
   * `POST /payouts/wallets`
   *
   * @example
   * ```ts
   * await client.payouts.createToWallet({"currency":"USDT","amount":"10","network":"trc20","address":"TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL","recipient_name":"Ada Obi"});
   * ```
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {KycRequiredError} The customer is not approved yet; payouts are possible once kyc_status is approved.
   * @throws {RailUnavailableError} No rail takes payouts of a live merchant there yet; nothing was held; ask your operator when there will be one.
   * @throws {WalletNotFoundError} The owner has no wallet in this currency; create it first.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   * @throws {LimitExceededError} The policy lets no such payout go out now; look the policy up, lower the amount, or wait until less has gone out.
   * @throws {InsufficientFundsError} The wallet does not hold enough for amount and fee; add money or lower the amount.
   */
  createToWallet(params: WalletPayoutParams, options?: WriteOptions): Call<Payout>;
  /** What `createToWallet` would answer now, or its refusal; nothing is written. */
  createToWallet(
    params: Omit<WalletPayoutParams, 'dry_run'> & { dry_run: true },
    options?: WriteOptions,
  ): Call<PayoutDryRun>;
  createToWallet(
    params: WalletPayoutParams | (Omit<WalletPayoutParams, 'dry_run'> & { dry_run: true }),
    options?: WriteOptions,
  ): Call<Payout | PayoutDryRun> {
    return this.transport.value<Payout | PayoutDryRun>(
      { method: 'POST', path: '/payouts/wallets', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Approve a payout that waits for it.
   *
   * The payout waits for an approval (`waiting_for`), and another key has created it. The hash is the `approval_hash` that it shows. Needs a key with the scope `approve`.
   *
   * `POST /payouts/{transaction_id}/approve`
   *
   * @example
   * ```ts
   * await client.payouts.approve(transactionId, {"approval_hash":"b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c"});
   * ```
   * @param transactionId Short identifier of the transaction.
   * @throws {ApproverNotAllowedError} Whose key this is has created the payout, or approved it before; have another person approve it.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {InvalidTransitionError} The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status.
   * @throws {ApprovalMismatchError} The payout sends something else than what was approved; look it up and approve the approval_hash that it shows.
   */
  approve(transactionId: string, params: PayoutApprovalParams, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'POST',
        path: '/payouts/{transaction_id}/approve',
        pathParameters: { transaction_id: transactionId },
        body: params,
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Reject a payout that waits.
   *
   * The payout waits (`waiting_for`), and another key has created it. Needs a key with the scope `approve`.
   *
   * `POST /payouts/{transaction_id}/reject`
   * @param transactionId Short identifier of the transaction.
   * @throws {ApproverNotAllowedError} Whose key this is has created the payout, or approved it before; have another person approve it.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {InvalidTransitionError} The payout or deposit is not in a state that allows this, or its chain alone decides; look up its current status.
   */
  reject(transactionId: string, options?: WriteOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'POST',
        path: '/payouts/{transaction_id}/reject',
        pathParameters: { transaction_id: transactionId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }
}

export class PolicyResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Get what you may pay out, and what needs an approval.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /policy`
   */
  get(options?: RequestOptions): Call<PayoutPolicy> {
    return this.transport.value<PayoutPolicy>({ method: 'GET', path: '/policy' }, options);
  }
}

export class PayoutMethodsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List saved payout methods, the merchant's and its customers'.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /payout/methods`
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  list(params: PayoutMethodListParams = {}, options?: RequestOptions): PageCall<PayoutMethod> {
    return this.transport.page<PayoutMethod>({ method: 'GET', path: '/payout/methods', query: params }, options);
  }

  /**
   * Save a bank account as payout method.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /payout/methods/banks`
   *
   * @example
   * ```ts
   * await client.payoutMethods.addBank({"type":"BANK","currency":"NGN","account_number":"0123456789","account_name":"Ada Obi","bank_name":"First Bank","bank_code":"011"});
   * ```
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   */
  addBank(params: BankPayoutMethodParams, options?: WriteOptions): Call<BankPayoutMethod> {
    return this.transport.value<BankPayoutMethod>(
      { method: 'POST', path: '/payout/methods/banks', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Save a crypto address as payout method.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /payout/methods/wallets`
   *
   * @example
   * ```ts
   * await client.payoutMethods.addWallet({"type":"WALLET","currency":"USDT","network":"trc20","wallet_address":"TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL","label":"Cold wallet"});
   * ```
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   */
  addWallet(params: WalletPayoutMethodParams, options?: WriteOptions): Call<WalletPayoutMethod> {
    return this.transport.value<WalletPayoutMethod>(
      { method: 'POST', path: '/payout/methods/wallets', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * Delete a payout method for good; a customer's only by naming that customer.
   *
   * Needs a key with the scope `write`.
   *
   * `DELETE /payout/methods/{payout_method_id}`
   *
   * @example
   * ```ts
   * await client.payoutMethods.delete(payoutMethodId, {});
   * ```
   * @param payoutMethodId The payout method.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {CustomerClosedError} The customer is closed; changes and movements are no longer possible.
   */
  delete(payoutMethodId: string, params: PayoutMethodDeleteParams = {}, options?: WriteOptions): Call<void> {
    return this.transport.nothing(
      {
        method: 'DELETE',
        path: '/payout/methods/{payout_method_id}',
        pathParameters: { payout_method_id: payoutMethodId },
        body: params,
        takesIdempotencyKey: true,
      },
      options,
    );
  }
}

export class TransactionsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List the merchant's transactions.
   *
   * Needs a key with the scope `read`. Costs 2 of the rate limit, where most requests cost 1.
   *
   * `GET /transactions`
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  list(params: TransactionListParams = {}, options?: RequestOptions): PageCall<Transaction> {
    return this.transport.page<Transaction>({ method: 'GET', path: '/transactions', query: params }, options);
  }

  /**
   * List one customer's transactions.
   *
   * Needs a key with the scope `read`. Costs 2 of the rate limit, where most requests cost 1.
   *
   * `GET /customers/transactions/by_customer_id/{customer_id}`
   * @param customerId The customer.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  listByCustomer(
    customerId: string,
    params: CustomerTransactionListParams = {},
    options?: RequestOptions,
  ): PageCall<CustomerTransaction> {
    return this.transport.page<CustomerTransaction>(
      {
        method: 'GET',
        path: '/customers/transactions/by_customer_id/{customer_id}',
        pathParameters: { customer_id: customerId },
        query: params,
      },
      options,
    );
  }

  /**
   * Get one transaction by its short identifier.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /customers/transactions/by_txid/{transaction_id}`
   * @param transactionId Short identifier of the transaction.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  get(transactionId: string, options?: RequestOptions): Call<Transaction> {
    return this.transport.value<Transaction>(
      {
        method: 'GET',
        path: '/customers/transactions/by_txid/{transaction_id}',
        pathParameters: { transaction_id: transactionId },
      },
      options,
    );
  }

  /**
   * Get the transactions that share a reference.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /customers/transactions/by_ref_id/{reference_id}`
   * @param referenceId The reference that they share.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  listByReference(referenceId: string, options?: RequestOptions): Call<Transaction[]> {
    return this.transport.value<Transaction[]>(
      {
        method: 'GET',
        path: '/customers/transactions/by_ref_id/{reference_id}',
        pathParameters: { reference_id: referenceId },
      },
      options,
    );
  }
}

export class WebhooksResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Register a URL that events are sent to.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /webhooks`
   *
   * @example
   * ```ts
   * await client.webhooks.create({"url":"http://127.0.0.1:4000/webhooks","events":["payout.completed","payout.failed","payout.reversed"],"description":"Payouts, while I try it out"});
   * ```
   * @throws {WebhookLimitReachedError} There are as many webhooks as a merchant may have; delete one that is no longer needed.
   */
  create(params: WebhookParams, options?: WriteOptions): Call<NewWebhook> {
    return this.transport.value<NewWebhook>(
      { method: 'POST', path: '/webhooks', body: params, takesIdempotencyKey: true },
      options,
    );
  }

  /**
   * List webhooks.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /webhooks`
   */
  list(params: WebhookListParams = {}, options?: RequestOptions): PageCall<Webhook> {
    return this.transport.page<Webhook>({ method: 'GET', path: '/webhooks', query: params }, options);
  }

  /**
   * Get one webhook.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /webhooks/{webhook_id}`
   * @param webhookId The webhook.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  get(webhookId: string, options?: RequestOptions): Call<Webhook> {
    return this.transport.value<Webhook>(
      { method: 'GET', path: '/webhooks/{webhook_id}', pathParameters: { webhook_id: webhookId } },
      options,
    );
  }

  /**
   * Change, disable or enable a webhook; absent fields stay as they are.
   *
   * Needs a key with the scope `write`.
   *
   * `PUT /webhooks/{webhook_id}`
   *
   * @example
   * ```ts
   * await client.webhooks.update(webhookId, {"events":null,"status":"enabled"});
   * ```
   * @param webhookId The webhook.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  update(webhookId: string, params: WebhookUpdateParams, options?: WriteOptions): Call<Webhook> {
    return this.transport.value<Webhook>(
      {
        method: 'PUT',
        path: '/webhooks/{webhook_id}',
        pathParameters: { webhook_id: webhookId },
        body: params,
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Delete a webhook: nothing more is sent to it.
   *
   * Needs a key with the scope `write`.
   *
   * `DELETE /webhooks/{webhook_id}`
   * @param webhookId The webhook.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  delete(webhookId: string, options?: WriteOptions): Call<void> {
    return this.transport.nothing(
      {
        method: 'DELETE',
        path: '/webhooks/{webhook_id}',
        pathParameters: { webhook_id: webhookId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Replace the secret of a webhook; the old one signs beside the new one for 24 hours.
   *
   * Needs a key with the scope `write`.
   *
   * `POST /webhooks/{webhook_id}/rotate-secret`
   * @param webhookId The webhook.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  rotateSecret(webhookId: string, options?: WriteOptions): Call<RotatedWebhook> {
    return this.transport.value<RotatedWebhook>(
      {
        method: 'POST',
        path: '/webhooks/{webhook_id}/rotate-secret',
        pathParameters: { webhook_id: webhookId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }

  /**
   * Send a test event to a webhook, once, and wait up to three seconds for how it went; one at a time per webhook, two per merchant.
   *
   * Needs a key with the scope `write`. Costs 10 of the rate limit, where most requests cost 1.
   *
   * `POST /webhooks/{webhook_id}/test`
   * @param webhookId The webhook.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  test(webhookId: string, options?: WriteOptions): Call<WebhookTest> {
    return this.transport.value<WebhookTest>(
      {
        method: 'POST',
        path: '/webhooks/{webhook_id}/test',
        pathParameters: { webhook_id: webhookId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }
}

export class EventsResource {
  constructor(private readonly transport: Transport) {}

  /**
   * List events.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /events`
   */
  list(params: EventListParams = {}, options?: RequestOptions): PageCall<Event> {
    return this.transport.page<Event>({ method: 'GET', path: '/events', query: params }, options);
  }

  /**
   * Get one event, with how it fared at each webhook.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /events/{event_id}`
   * @param eventId The event.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  get(eventId: string, options?: RequestOptions): Call<EventWithDeliveries> {
    return this.transport.value<EventWithDeliveries>(
      { method: 'GET', path: '/events/{event_id}', pathParameters: { event_id: eventId } },
      options,
    );
  }

  /**
   * Send an event again, under the same id, to every enabled webhook that takes its type.
   *
   * Needs a key with the scope `write`. Costs 10 of the rate limit, where most requests cost 1.
   *
   * `POST /events/{event_id}/resend`
   * @param eventId The event.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  resend(eventId: string, options?: WriteOptions): Call<EventWithDeliveries> {
    return this.transport.value<EventWithDeliveries>(
      {
        method: 'POST',
        path: '/events/{event_id}/resend',
        pathParameters: { event_id: eventId },
        takesIdempotencyKey: true,
      },
      options,
    );
  }
}

export class AuditResource {
  constructor(private readonly transport: Transport) {}

  /**
   * Get what a wallet held at a time, or at a position of the log.
   *
   * Needs a key with the scope `read`. Costs 3 of the rate limit, where most requests cost 1.
   *
   * `GET /audit/balances`
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  balance(params: PastBalanceParams, options?: RequestOptions): Call<PastBalance> {
    return this.transport.value<PastBalance>({ method: 'GET', path: '/audit/balances', query: params }, options);
  }

  /**
   * Explain a transaction: the events of the log behind it.
   *
   * Needs a key with the scope `read`. Costs 3 of the rate limit, where most requests cost 1.
   *
   * `GET /audit/transactions/{transaction_id}`
   * @param transactionId Short identifier of the transaction.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  explain(transactionId: string, options?: RequestOptions): Call<TransactionExplanation> {
    return this.transport.value<TransactionExplanation>(
      {
        method: 'GET',
        path: '/audit/transactions/{transaction_id}',
        pathParameters: { transaction_id: transactionId },
      },
      options,
    );
  }

  /**
   * Prove a transaction: a document that is checked without us.
   *
   * Needs a key with the scope `read`. Costs 5 of the rate limit, where most requests cost 1.
   *
   * `GET /audit/proofs/{transaction_id}`
   * @param transactionId Short identifier of the transaction.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {ProofPendingError} There is no proof yet; ask again after the next checkpoint.
   */
  prove(transactionId: string, options?: RequestOptions): Call<Proof> {
    return this.transport.value<Proof>(
      { method: 'GET', path: '/audit/proofs/{transaction_id}', pathParameters: { transaction_id: transactionId } },
      options,
    );
  }

  /**
   * Prove that a wallet is counted in what we have signed that we owe.
   *
   * Needs a key with the scope `read`. Costs 5 of the rate limit, where most requests cost 1.
   *
   * `GET /audit/liabilities/{wallet_id}`
   * @param walletId The wallet.
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   * @throws {ProofPendingError} There is no proof yet; ask again after the next checkpoint.
   */
  proveLiability(walletId: string, options?: RequestOptions): Call<LiabilityProof> {
    return this.transport.value<LiabilityProof>(
      { method: 'GET', path: '/audit/liabilities/{wallet_id}', pathParameters: { wallet_id: walletId } },
      options,
    );
  }

  /**
   * List what has been signed of the log that the merchant's events are in.
   *
   * Needs a key with the scope `read`.
   *
   * `GET /audit/checkpoints`
   */
  checkpoints(params: CheckpointListParams = {}, options?: RequestOptions): PageCall<Checkpoint> {
    return this.transport.page<Checkpoint>({ method: 'GET', path: '/audit/checkpoints', query: params }, options);
  }

  /**
   * Prove that the log has only grown from one checkpoint to another.
   *
   * Needs a key with the scope `read`. Costs 5 of the rate limit, where most requests cost 1.
   *
   * `GET /audit/consistency`
   * @throws {NotFoundError} There is nothing here for this API key; check the path and the ids in the request.
   */
  consistency(params: ConsistencyParams, options?: RequestOptions): Call<ConsistencyProof> {
    return this.transport.value<ConsistencyProof>(
      { method: 'GET', path: '/audit/consistency', query: params },
      options,
    );
  }
}

/** Every resource of the interface. */
export class Resources {
  readonly customers: CustomersResource;
  readonly documents: DocumentsResource;
  readonly wallets: WalletsResource;
  readonly assets: AssetsResource;
  readonly sandbox: SandboxResource;
  readonly quotes: QuotesResource;
  readonly swaps: SwapsResource;
  readonly payouts: PayoutsResource;
  readonly policy: PolicyResource;
  readonly payoutMethods: PayoutMethodsResource;
  readonly transactions: TransactionsResource;
  readonly webhooks: WebhooksResource;
  readonly events: EventsResource;
  readonly audit: AuditResource;

  constructor(transport: Transport) {
    this.customers = new CustomersResource(transport);
    this.documents = new DocumentsResource(transport);
    this.wallets = new WalletsResource(transport);
    this.assets = new AssetsResource(transport);
    this.sandbox = new SandboxResource(transport);
    this.quotes = new QuotesResource(transport);
    this.swaps = new SwapsResource(transport);
    this.payouts = new PayoutsResource(transport);
    this.policy = new PolicyResource(transport);
    this.payoutMethods = new PayoutMethodsResource(transport);
    this.transactions = new TransactionsResource(transport);
    this.webhooks = new WebhooksResource(transport);
    this.events = new EventsResource(transport);
    this.audit = new AuditResource(transport);
  }
}
