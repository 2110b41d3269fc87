import { Controller, Get } from '@nestjs/common';
import { OmitType } from '@nestjs/mapped-types';
import { ListMerchantUnrecognised } from '@stablecoin/contracts/chain/list-merchant-unrecognised';
import { ListTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TRANSACTION_STATUSES, TransactionStatus } from '@stablecoin/contracts/wallet/views';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsLimit, IsPage } from '@stablecoin/contracts/wire/fields/paging';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { paginationOf, success } from '@stablecoin/http-answers/envelope';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery } from '../reads/from-query';
import { ForMembersOfMerchants } from '../sessions/session.guard';
import { MerchantDeposits } from './merchant-deposits';

class ListDepositsQuery implements Pick<ListTransactions, 'page' | 'limit'> {
  @Optional() @IsOneOf(TRANSACTION_STATUSES) status?: TransactionStatus;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

class ListUnrecognisedQuery extends OmitType(ListMerchantUnrecognised, ['merchant_id']) {}

/** What comes in, and what came in and was not credited. */
@Controller('deposits')
export class DepositsController {
  constructor(private readonly deposits: MerchantDeposits) {}

  @Get()
  @ForMembersOfMerchants()
  async list(@FromMerchant() merchant: AskingMerchant, @FromQuery(ListDepositsQuery) query: Plain<ListDepositsQuery>) {
    const page = await this.deposits.list(merchant, query);
    return { ...success(page.items), pagination: paginationOf(page) };
  }

  @Get('unrecognised')
  @ForMembersOfMerchants()
  async unrecognised(
    @FromMerchant() merchant: AskingMerchant,
    @FromQuery(ListUnrecognisedQuery) query: Plain<ListUnrecognisedQuery>,
  ) {
    const page = await this.deposits.unrecognised(merchant, query);
    return { ...success(page.items), pagination: paginationOf(page) };
  }
}
