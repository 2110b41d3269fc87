import { Controller, Get, Param } from '@nestjs/common';
import { getCustomerFile } from '@stablecoin/contracts/customer/get-customer-file';
import { listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { success, successPage } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { ListCustomersQuery } from '@stablecoin/merchant-resources/customers/customer-requests';
import { presentCustomer } from '@stablecoin/merchant-resources/customers/customer.presenter';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ConsoleRefusal } from '../http/console-refusal';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery, WithoutQuery } from '../reads/from-query';
import { ForMembersOfMerchants } from '../sessions/session.guard';
import { withoutOrigin } from './without-origin';

@Controller('customers')
export class CustomersController {
  constructor(private readonly bus: BusClient) {}

  /**
   * As the gateway prints them, or without what is personal: then there is no search for an e-mail address either, whose
   * answer would say whose it is.
   */
  @Get()
  @ForMembersOfMerchants()
  async list(
    @FromMerchant() { merchant_id, seesPersonalData }: AskingMerchant,
    @FromQuery(ListCustomersQuery) query: Plain<ListCustomersQuery>,
  ) {
    const { search } = query;
    if (!seesPersonalData && search !== undefined && !isUuid(search.toLowerCase()))
      throw new ConsoleRefusal('not_allowed');
    const page = await this.bus.call(listCustomers, { ...query, merchant_id });
    return successPage(page, seesPersonalData ? presentCustomer : presentWithoutPerson);
  }

  /** One of them, not found in the list of another merchant. */
  @Get(':customer_id')
  @ForMembersOfMerchants()
  async get(
    @FromMerchant() { merchant_id, seesPersonalData }: AskingMerchant,
    @Param('customer_id') id: string,
    @WithoutQuery() _none: object,
  ) {
    const { items } = await this.bus.call(listCustomers, { merchant_id, search: pathUuid(id), page: 1, limit: 1 });
    const [customer] = items;
    if (!customer) throw new Refusal('not_found');
    return success(seesPersonalData ? presentCustomer(customer) : presentWithoutPerson(customer));
  }

  /** Documents and the course of the review. */
  @Get(':customer_id/file')
  @ForMembersOfMerchants()
  async file(
    @FromMerchant() { merchant_id, seesPersonalData }: AskingMerchant,
    @Param('customer_id') id: string,
    @WithoutQuery() _none: object,
  ) {
    const file = await this.bus.call(getCustomerFile, { merchant_id, customer_id: pathUuid(id) });
    return success(seesPersonalData ? file : withoutOrigin(file));
  }
}

const presentWithoutPerson = ({ id, customer_type, status, kyc_status, created_at, updated_at }: CustomerView) => ({
  ...{ id, customer_type, status, kyc_status, created_at, updated_at },
});
