import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { decideKyc } from '@stablecoin/contracts/customer/decide-kyc';
import { eraseCustomer } from '@stablecoin/contracts/customer/erase-customer';
import { getCustomerFile } from '@stablecoin/contracts/customer/get-customer-file';
import { ListCases, listCases } from '@stablecoin/contracts/customer/list-cases';
import { openIdentity } from '@stablecoin/contracts/customer/open-identity';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success, successPage } from '@stablecoin/http-answers/envelope';
import { presentCustomer } from '@stablecoin/merchant-resources/customers/customer.presenter';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Session } from '@stablecoin/people-store/sessions';
import { CustomerCommands } from '../customers/customer-commands';
import { CaseReason, DecisionBody, ErasureBody } from '../customers/customer-requests';
import { withoutOrigin } from '../customers/without-origin';
import { FromQuery, WithoutQuery } from '../reads/from-query';
import { ForRoles, FromSession, SteppedUpByPasskey } from '../sessions/session.guard';
import { Cases } from './cases';

/**
 * Reviews of customers, of all merchants, for compliance officers of the operator. Support sees where a review stands, and nothing
 * personal. What is personal is read on the record, for a reason; what is decided needs the passkey.
 */
@Controller('cases')
export class CasesController {
  constructor(
    private readonly bus: BusClient,
    private readonly cases: Cases,
    private readonly commands: CustomerCommands,
  ) {}

  @Get()
  @ForRoles('compliance', 'support')
  async list(@FromQuery(ListCases) query: Plain<ListCases>) {
    return successPage(await this.bus.call(listCases, query), (view) => view);
  }

  @Get(':customer_id')
  @ForRoles('compliance', 'support')
  async get(@Param('customer_id') customer: string, @WithoutQuery() _none: object) {
    return success(await this.cases.get(customer));
  }

  /** Documents and the course of the review, without what only a look on the record shows. */
  @Get(':customer_id/file')
  @ForRoles('compliance')
  async file(@Param('customer_id') customer: string, @WithoutQuery() _none: object) {
    return success(withoutOrigin(await this.bus.call(getCustomerFile, await this.cases.named(customer))));
  }

  @Post(':customer_id/identity')
  @HttpCode(200)
  @ForRoles('compliance')
  @SteppedUpByPasskey()
  async identity(@FromSession() session: Session, @Param('customer_id') customer: string, @Body() body: unknown) {
    const { reason } = validateRequest(CaseReason, body);
    const act = { action: 'identity-read', reason } as const;
    const view = await this.commands.ask(openIdentity, {}, act, await this.cases.named(customer), session);
    return success(presentCustomer(view));
  }

  @Post(':customer_id/decision')
  @HttpCode(200)
  @ForRoles('compliance')
  @SteppedUpByPasskey()
  async decide(@FromSession() session: Session, @Param('customer_id') customer: string, @Body() body: unknown) {
    const { kyc_status, reason } = validateRequest(DecisionBody, body);
    const act = { action: 'kyc-decided', reason, details: { kyc_status } } as const;
    return success(await this.commands.ask(decideKyc, { kyc_status }, act, await this.cases.named(customer), session));
  }

  /** There is no way back: the person has typed whom it means. */
  @Post(':customer_id/erasure')
  @HttpCode(200)
  @ForRoles('compliance')
  @SteppedUpByPasskey()
  async erase(@FromSession() session: Session, @Param('customer_id') customer: string, @Body() body: unknown) {
    const { confirmed_customer_id, reason } = validateRequest(ErasureBody, body);
    const named = await this.cases.named(customer);
    if (confirmed_customer_id !== named.customer_id)
      throw Refusal.ofField('confirmed_customer_id', 'another_customer', 'must be the id of the customer to erase');
    const act = { action: 'customer-erased', reason } as const;
    return success(await this.commands.ask(eraseCustomer, {}, act, named, session));
  }
}
