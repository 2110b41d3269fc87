import { Injectable } from '@nestjs/common';
import { CaseView } from '@stablecoin/contracts/customer/case-views';
import { getCase } from '@stablecoin/contracts/customer/get-case';
import { pathUuid } from '@stablecoin/http-answers/query';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { NamedCustomer } from '../customers/customer-commands';

/** Customers of all merchants, as the operator's people name them: by their own id alone. */
@Injectable()
export class Cases {
  constructor(private readonly bus: BusClient) {}

  get(customerId: string): Promise<CaseView> {
    return this.bus.call(getCase, { customer_id: pathUuid(customerId) });
  }

  async named(customerId: string): Promise<NamedCustomer> {
    const { merchant_id, customer_id } = await this.get(customerId);
    return { merchant_id, customer_id };
  }
}
