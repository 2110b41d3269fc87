import { Controller, Get, Req } from '@nestjs/common';
import { ListMerchants, listMerchants } from '@stablecoin/contracts/customer/list-merchants';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { paginationOf, success } from '@stablecoin/http-answers/envelope';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { OPERATOR_ROLES } from '@stablecoin/people-store/roles';
import type { FastifyRequest } from 'fastify';
import { FromQuery, WithoutQuery } from '../reads/from-query';
import { ForRoles } from '../sessions/session.guard';

/** All merchants, for the operator's people. */
@Controller('merchants')
export class MerchantsController {
  constructor(private readonly bus: BusClient) {}

  @Get()
  @ForRoles(...OPERATOR_ROLES)
  async list(@FromQuery(ListMerchants) query: Plain<ListMerchants>) {
    const page = await this.bus.call(listMerchants, query);
    return { ...success(page.items), pagination: paginationOf(page) };
  }

  @Get(':merchant_id')
  @ForRoles(...OPERATOR_ROLES)
  get(@Req() { namedMerchant }: FastifyRequest, @WithoutQuery() _query: object) {
    return success(namedMerchant);
  }
}
