import { Controller, Get, Param, Post, Put } from '@nestjs/common';
import { createBusinessCustomer, updateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import { createIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { updateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { pageOf, success, successOf, successPage } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { FromBody, FromQuery, NoFields } from '../routes/input';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import { CreateBusinessBody, CreateIndividualBody } from './customer-requests';
import { businessChanges, individualChanges, UpdateBusinessBody, UpdateIndividualBody } from './customer-updates';
import {
  CHANGED_BUSINESS,
  CHANGED_INDIVIDUAL,
  CUSTOMER,
  presentChangedBusiness,
  presentChangedIndividual,
  presentCustomer,
} from '@stablecoin/merchant-resources/customers/customer.presenter';
import { ListCustomersQuery } from '@stablecoin/merchant-resources/customers/customer-requests';
import { DocumentUploads } from './document-uploads';
import {
  BUSINESS_BODIES,
  BUSINESS_UPDATE_BODIES,
  INDIVIDUAL_BODIES,
  INDIVIDUAL_UPDATE_BODIES,
} from './customer-bodies';

@Controller()
export class CustomersController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
    private readonly uploads: DocumentUploads,
  ) {}

  @Get('customers')
  @Route({
    operationId: 'listCustomers',
    summary: 'List customers',
    answer: 'Customers, newest first',
    responds: pageOf(CUSTOMER),
  })
  async list(@FromCaller() { merchant_id }: Caller, @FromQuery(ListCustomersQuery) query: Plain<ListCustomersQuery>) {
    return successPage(await this.bus.call(listCustomers, { ...query, merchant_id }), presentCustomer);
  }

  @Get('customers/:customerId')
  @Route({
    operationId: 'getCustomer',
    summary: 'Get one customer',
    answer: 'The customer',
    responds: successOf(CUSTOMER),
    errors: getCustomer.errors,
  })
  async get(@FromCaller() { merchant_id }: Caller, @Param('customerId') customerId: string) {
    return success(
      presentCustomer(await this.bus.call(getCustomer, { merchant_id, customer_id: pathUuid(customerId) })),
    );
  }

  @Post('individual-customers')
  @Route({
    operationId: 'createIndividualCustomer',
    summary: 'Create an individual customer',
    answer: 'The customer',
    bodies: INDIVIDUAL_BODIES,
    responds: successOf(CHANGED_INDIVIDUAL),
    cost: 3,
    status: 201,
    errors: [...createIndividualCustomer.errors, 'storage_quota_reached'],
    takesDocuments: true,
  })
  async createIndividual(
    @FromCaller() { mode: key_mode }: Caller,
    @FromBody(CreateIndividualBody) body: Plain<CreateIndividualBody>,
    @FromCommand() command: Command,
  ) {
    const { documents: _documents, user_documents: _alias, ...fields } = body;
    const request = { ...fields, ...(await this.uploads.ofCustomer(command, body)), key_mode, ...command.ids };
    return success(presentChangedIndividual(command.resultOf(await this.bus.call(createIndividualCustomer, request))));
  }

  @Put('individual-customers/:customerId')
  @Route({
    operationId: 'updateIndividualCustomer',
    summary: 'Update an individual customer; fields that are absent stay as they are',
    answer: 'The customer',
    bodies: INDIVIDUAL_UPDATE_BODIES,
    responds: successOf(CHANGED_INDIVIDUAL),
    cost: 3,
    errors: [...updateIndividualCustomer.errors, 'storage_quota_reached'],
    takesDocuments: true,
  })
  async updateIndividual(
    @Param('customerId') customerId: string,
    @FromBody(UpdateIndividualBody) body: Plain<UpdateIndividualBody>,
    @FromCommand() command: Command,
  ) {
    const customer_id = await this.existing(command, customerId);
    const documents = await this.uploads.ofCustomer(command, body);
    const request = { ...individualChanges(body), ...documents, customer_id, ...command.ids };
    const customer = command.resultOf(await this.bus.call(updateIndividualCustomer, request));
    this.owners.forget(command.ids.merchant_id, customer_id);
    return success(presentChangedIndividual(customer));
  }

  @Post('business-customers')
  @Route({
    operationId: 'createBusinessCustomer',
    summary: 'Create a business customer',
    answer: 'The customer',
    bodies: BUSINESS_BODIES,
    responds: successOf(CHANGED_BUSINESS),
    cost: 3,
    status: 201,
    errors: [...createBusinessCustomer.errors, 'storage_quota_reached'],
    takesDocuments: true,
  })
  async createBusiness(
    @FromCaller() { mode: key_mode }: Caller,
    @FromBody(CreateBusinessBody) body: Plain<CreateBusinessBody>,
    @FromCommand() command: Command,
  ) {
    const { documents: _documents, user_documents: _alias, business_owners, ...fields } = body;
    const documents = await this.uploads.ofCustomer(command, body);
    const owners = await this.uploads.ofOwners(command, business_owners);
    const request = { ...fields, ...documents, ...owners, key_mode, ...command.ids };
    return success(presentChangedBusiness(command.resultOf(await this.bus.call(createBusinessCustomer, request))));
  }

  @Put('business-customers/:customerId')
  @Route({
    operationId: 'updateBusinessCustomer',
    summary: 'Update a business customer; fields that are absent stay as they are',
    answer: 'The customer',
    bodies: BUSINESS_UPDATE_BODIES,
    responds: successOf(CHANGED_BUSINESS),
    cost: 3,
    errors: [...updateBusinessCustomer.errors, 'storage_quota_reached'],
    takesDocuments: true,
  })
  async updateBusiness(
    @Param('customerId') customerId: string,
    @FromBody(UpdateBusinessBody) body: Plain<UpdateBusinessBody>,
    @FromCommand() command: Command,
  ) {
    const customer_id = await this.existing(command, customerId);
    const documents = await this.uploads.ofCustomer(command, body);
    const owners = await this.uploads.ofOwners(command, body.business_owners);
    const request = { ...businessChanges(body), ...documents, ...owners, customer_id, ...command.ids };
    const customer = command.resultOf(await this.bus.call(updateBusinessCustomer, request));
    this.owners.forget(command.ids.merchant_id, customer_id);
    return success(presentChangedBusiness(customer));
  }

  @Post('customers/:customerId/close')
  @Route({
    operationId: 'closeCustomer',
    summary: 'Close a customer for good',
    answer: 'The customer',
    responds: successOf(CUSTOMER),
    errors: closeCustomer.errors,
  })
  async close(
    @Param('customerId') customerId: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    const customer_id = pathUuid(customerId);
    const customer = command.resultOf(await this.bus.call(closeCustomer, { customer_id, ...command.ids }));
    this.owners.forget(command.ids.merchant_id, customer_id);
    return success(presentCustomer(customer));
  }

  /** Checked before documents are uploaded for it. */
  private async existing(command: Command, customerId: string): Promise<string> {
    const customer_id = pathUuid(customerId);
    await this.owners.find(command.ids.merchant_id, customer_id);
    return customer_id;
  }
}
