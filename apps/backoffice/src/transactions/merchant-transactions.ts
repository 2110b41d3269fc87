import { Injectable } from '@nestjs/common';
import { getTransaction, LookedUpTransactionView } from '@stablecoin/contracts/wallet/get-transaction';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { ResponseOf } from '@stablecoin/http-answers/response-schema';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import { transactionName } from '@stablecoin/merchant-resources/transactions/transaction-name';
import { TransactionPrinter } from '@stablecoin/merchant-resources/transactions/transaction-printer';
import { ListTransactionsQuery } from '@stablecoin/merchant-resources/transactions/transaction-requests';
import { presentTransaction, TRANSACTION } from '@stablecoin/merchant-resources/transactions/transaction.presenter';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { AskingMerchant } from '../reads/from-merchant';

export type PrintedTransaction = ResponseOf<typeof TRANSACTION>;

/** A merchant's transactions as the gateway prints them; what is sealed stays so for members who may not see it. */
@Injectable()
export class MerchantTransactions {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
    private readonly printer: TransactionPrinter,
  ) {}

  /** @throws Refusal not_found for another merchant's customer */
  async list(merchant: AskingMerchant, query: Plain<ListTransactionsQuery>): Promise<Page<PrintedTransaction>> {
    const { merchant_id } = merchant;
    if (query.customer_id) await this.owners.find(merchant_id, query.customer_id);
    return this.page(merchant, query);
  }

  /** One page of a list whose filters were checked before, from its beginning or after one of its transactions. */
  async page(
    merchant: AskingMerchant,
    query: Plain<ListTransactionsQuery>,
    after?: string,
  ): Promise<Page<PrintedTransaction>> {
    const { merchant_id, shard, seesPersonalData } = merchant;
    const asked = { ...query, merchant_id, ...(after !== undefined && { after }) };
    const page = await this.bus.call(listTransactions, asked, { shard });
    return { ...page, items: await this.printer.printAll(page.items, presentTransaction, seesPersonalData) };
  }

  /** @param name the `id` or the `transaction_id` */
  async get(merchant: AskingMerchant, name: string): Promise<PrintedTransaction> {
    return this.print(await this.view(merchant, transactionName(name)), merchant);
  }

  /** One that another service has just answered with. */
  print(view: TransactionView, merchant: AskingMerchant): Promise<PrintedTransaction> {
    return this.printer.printLookedUp(view, merchant, presentTransaction, merchant.seesPersonalData);
  }

  /** A page, of which those that are under way have how far they are. */
  printAllWithProgress(views: readonly TransactionView[], merchant: AskingMerchant): Promise<PrintedTransaction[]> {
    return this.printer.printAllLookedUp(views, merchant, presentTransaction, merchant.seesPersonalData);
  }

  /** By which keys, or memberships, it was created and approved. */
  async signersOf(merchant: AskingMerchant, name: string) {
    const { created_by = null, approvals } = await this.view(merchant, transactionName(name));
    return { created_by, approvals: approvals ?? [] };
  }

  /** The 10-character `transaction_id` of one that is named by it or by its `id`. */
  async transactionIdOf(merchant: AskingMerchant, text: string): Promise<string> {
    const name = transactionName(text);
    return isUuid(name) ? (await this.view(merchant, name)).transaction_id : name;
  }

  private view({ merchant_id, shard }: AskingMerchant, transaction_id: string): Promise<LookedUpTransactionView> {
    return this.bus.call(getTransaction, { merchant_id, transaction_id }, { shard });
  }
}
