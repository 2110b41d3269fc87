import { Controller, Get } from '@nestjs/common';
import { listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { successPage } from '@stablecoin/http-answers/envelope';
import { ListCustomersQuery } from '@stablecoin/merchant-resources/customers/customer-requests';
import { presentCustomer } from '@stablecoin/merchant-resources/customers/customer.presenter';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ConsoleRefusal } from '../http/console-refusal';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery } from '../reads/from-query';
import { ForMembersOfMerchants } from '../sessions/session.guard';

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
}

const presentWithoutPerson = ({ id, customer_type, status, kyc_status, created_at, updated_at }: CustomerView) => ({
  ...{ id, customer_type, status, kyc_status, created_at, updated_at },
});
