import { Controller, Get } from '@nestjs/common';
import { OmitType } from '@nestjs/mapped-types';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { paginationOf, success } from '@stablecoin/http-answers/envelope';
import { ListTransactionsQuery } from '@stablecoin/merchant-resources/transactions/transaction-requests';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery } from '../reads/from-query';
import { ForRoles } from '../sessions/session.guard';
import { MerchantTransactions } from '../transactions/merchant-transactions';

/** All filters of transactions but the one that makes it this list. */
class ListApprovalsQuery extends OmitType(ListTransactionsQuery, ['waiting_for']) {}

@Controller('approvals')
export class ApprovalsController {
  constructor(private readonly transactions: MerchantTransactions) {}

  /** Payouts that wait for an approval, with what would be sent, to whom, and the hash that an approver approves. */
  @Get()
  @ForRoles('approver', 'admin')
  async list(
    @FromMerchant() merchant: AskingMerchant,
    @FromQuery(ListApprovalsQuery) query: Plain<ListApprovalsQuery>,
  ) {
    const page = await this.transactions.list(merchant, { ...query, waiting_for: 'approval' });
    return { ...success(page.items), pagination: paginationOf(page) };
  }
}
