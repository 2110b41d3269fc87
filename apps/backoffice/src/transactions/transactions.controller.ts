import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { explainTransaction } from '@stablecoin/contracts/wallet/explain-transaction';
import { proveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { paginationOf, success } from '@stablecoin/http-answers/envelope';
import { ListTransactionsQuery } from '@stablecoin/merchant-resources/transactions/transaction-requests';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportReplies } from '../exports/export-replies';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery, WithoutQuery } from '../reads/from-query';
import { ofMerchant } from '../sessions/merchant-path';
import { ForMembersOfMerchants, ForReadersOfMerchants, FromSession } from '../sessions/session.guard';
import { MerchantTransactions } from './merchant-transactions';
import { TransactionSignerNames } from './transaction-signers';
import { ExportTransactionsQuery, TransactionExports } from './transaction-exports';

@Controller()
export class TransactionsController {
  constructor(
    private readonly bus: BusClient,
    private readonly transactions: MerchantTransactions,
    private readonly exports: TransactionExports,
    private readonly replies: ExportReplies,
    private readonly signerNames: TransactionSignerNames,
  ) {}

  @Get(ofMerchant('transactions'))
  @ForReadersOfMerchants()
  async list(
    @FromMerchant() merchant: AskingMerchant,
    @FromQuery(ListTransactionsQuery) query: Plain<ListTransactionsQuery>,
  ) {
    const page = await this.transactions.list(merchant, query);
    return { ...success(page.items), pagination: paginationOf(page) };
  }

  /** All that the filter finds, as it is read: `transaction-exports.ts`. */
  @Get(ofMerchant('transactions.csv'))
  @ForReadersOfMerchants()
  async export(
    @FromMerchant() merchant: AskingMerchant,
    @FromSession() session: Session,
    @FromQuery(ExportTransactionsQuery) query: Plain<ExportTransactionsQuery>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const act = { action: 'transactions-exported', details: ofWhom(session, merchant, query) } as const;
    const file = { name: 'transactions', format: 'csv' } as const;
    await this.replies.send({ request, reply, act, ...file }, (by) => this.exports.open(merchant, query, by));
  }

  @Get(ofMerchant('transactions/:id'))
  @ForReadersOfMerchants()
  async get(@FromMerchant() merchant: AskingMerchant, @Param('id') id: string, @WithoutQuery() _query: object) {
    return success(await this.transactions.get(merchant, id));
  }

  @Get(ofMerchant('transactions/:id/events'))
  @ForReadersOfMerchants()
  async explain(@FromMerchant() merchant: AskingMerchant, @Param('id') id: string, @WithoutQuery() _query: object) {
    const transaction_id = await this.transactions.transactionIdOf(merchant, id);
    const { merchant_id, shard } = merchant;
    return success(await this.bus.call(explainTransaction, { merchant_id, transaction_id }, { shard }));
  }

  @Get(ofMerchant('transactions/:id/proof'))
  @ForReadersOfMerchants()
  async prove(@FromMerchant() merchant: AskingMerchant, @Param('id') id: string, @WithoutQuery() _query: object) {
    const transaction_id = await this.transactions.transactionIdOf(merchant, id);
    const { merchant_id, shard } = merchant;
    return success(await this.bus.call(proveTransaction, { merchant_id, transaction_id }, { shard }));
  }

  /** The names behind a payout's signatures. */
  @Get('transactions/:id/signers')
  @ForMembersOfMerchants()
  async signers(
    @FromMerchant() merchant: AskingMerchant,
    @FromSession() session: Session,
    @Param('id') id: string,
    @WithoutQuery() _query: object,
  ) {
    return success(await this.signerNames.of(merchant, session, id));
  }
}

/** Whose they are, where the session does not say it. */
const ofWhom = ({ side }: Session, { merchant_id }: AskingMerchant, filters: Plain<ExportTransactionsQuery>) =>
  side === 'operator' ? { ...filters, merchant_id } : filters;
