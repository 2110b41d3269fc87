import { Controller, Get, Param } from '@nestjs/common';
import { getTransaction } from '@stablecoin/contracts/wallet/get-transaction';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { listTransactionsByReference } from '@stablecoin/contracts/wallet/list-transactions-by-reference';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { pageOf, paginationOf, success, successOf } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { FromQuery } from '../routes/input';
import { listOf } from '@stablecoin/http-answers/response-schema';
import { Route } from '../routes/route';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import { TransactionPrinter } from '@stablecoin/merchant-resources/transactions/transaction-printer';
import {
  ListCustomerTransactionsQuery,
  ListTransactionsQuery,
} from '@stablecoin/merchant-resources/transactions/transaction-requests';
import {
  CUSTOMER_TRANSACTION,
  presentCustomerTransaction,
  presentTransaction,
  TRANSACTION,
} from '@stablecoin/merchant-resources/transactions/transaction.presenter';

const TRANSACTION_ID = /^[A-Z0-9]{10}$/;

@Controller()
export class TransactionsController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
    private readonly printer: TransactionPrinter,
  ) {}

  @Get('transactions')
  @Route({
    operationId: 'listTransactions',
    summary: "List the merchant's transactions",
    answer: 'Transactions, newest first',
    responds: pageOf(TRANSACTION),
    cost: 2,
    errors: ['not_found'],
  })
  async list(
    @FromCaller() { merchant_id, shard }: Caller,
    @FromQuery(ListTransactionsQuery) query: Plain<ListTransactionsQuery>,
  ) {
    if (query.customer_id) await this.owners.find(merchant_id, query.customer_id);
    const page = await this.bus.call(listTransactions, { ...query, merchant_id }, { shard });
    const data = await this.printer.printAll(page.items, presentTransaction);
    return { ...success(data), pagination: paginationOf(page) };
  }

  @Get('customers/transactions/by_customer_id/:customer_id')
  @Route({
    operationId: 'listCustomerTransactions',
    summary: "List one customer's transactions",
    answer: 'Transactions with their merchant_id, newest first',
    responds: pageOf(CUSTOMER_TRANSACTION),
    cost: 2,
    errors: ['not_found'],
  })
  async listOfCustomer(
    @FromCaller() { merchant_id, shard }: Caller,
    @Param('customer_id') customerId: string,
    @FromQuery(ListCustomerTransactionsQuery) query: Plain<ListCustomerTransactionsQuery>,
  ) {
    const customer_id = pathUuid(customerId);
    await this.owners.find(merchant_id, customer_id);
    const page = await this.bus.call(listTransactions, { ...query, customer_id, merchant_id }, { shard });
    const data = await this.printer.printAll(page.items, presentCustomerTransaction);
    return { ...success(data), pagination: paginationOf(page) };
  }

  @Get('customers/transactions/by_txid/:transaction_id')
  @Route({
    operationId: 'getTransaction',
    summary: 'Get one transaction by its short identifier',
    answer: 'The transaction',
    responds: successOf(TRANSACTION),
    errors: getTransaction.errors,
  })
  async get(@FromCaller() caller: Caller, @Param('transaction_id') transactionId: string) {
    const { merchant_id, shard } = caller;
    if (!TRANSACTION_ID.test(transactionId)) throw new Refusal('not_found');
    const view = await this.bus.call(getTransaction, { merchant_id, transaction_id: transactionId }, { shard });
    return success(await this.printer.printLookedUp(view, caller, presentTransaction));
  }

  @Get('customers/transactions/by_ref_id/:reference_id')
  @Route({
    operationId: 'listTransactionsByReference',
    summary: 'Get the transactions that share a reference',
    answer: 'The transactions, in the order in which they were recorded',
    responds: successOf(listOf(TRANSACTION)),
    errors: listTransactionsByReference.errors,
  })
  async listByReference(@FromCaller() caller: Caller, @Param('reference_id') referenceId: string) {
    const { merchant_id, shard } = caller;
    const reference_id = pathUuid(referenceId);
    const views = await this.bus.call(listTransactionsByReference, { merchant_id, reference_id }, { shard });
    return success(await this.printer.printAllLookedUp(views, caller, presentTransaction));
  }
}
