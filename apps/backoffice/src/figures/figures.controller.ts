import { Controller, Get } from '@nestjs/common';
import { OmitType } from '@nestjs/mapped-types';
import { GetDailyFigures, getDailyFigures } from '@stablecoin/contracts/wallet/get-daily-figures';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { success } from '@stablecoin/http-answers/envelope';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery } from '../reads/from-query';
import { ForMembersOfMerchants } from '../sessions/session.guard';

class FiguresQuery extends OmitType(GetDailyFigures, ['merchant_id']) {}

/** What charts are drawn from: sums of a merchant's transactions, by UTC day. */
@Controller('figures')
export class FiguresController {
  constructor(private readonly bus: BusClient) {}

  @Get()
  @ForMembersOfMerchants()
  async get(
    @FromMerchant() { merchant_id, shard }: AskingMerchant,
    @FromQuery(FiguresQuery) query: Plain<FiguresQuery>,
  ) {
    return success(await this.bus.call(getDailyFigures, { ...query, merchant_id }, { shard }));
  }
}
