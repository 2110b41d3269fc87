import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CreateBusinessCustomer,
  createBusinessCustomer,
  UpdateBusinessCustomer,
  updateBusinessCustomer,
} from '@stablecoin/contracts/customer/business-customer';
import { CloseCustomer, closeCustomer } from '@stablecoin/contracts/customer/close-customer';
import {
  CreateIndividualCustomer,
  createIndividualCustomer,
} from '@stablecoin/contracts/customer/create-individual-customer';
import { FindOwner, findOwner, Owner } from '@stablecoin/contracts/customer/find-owner';
import { GetCustomer, getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { ListCustomers, listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { ResolveApiKey, resolveApiKey, ResolvedApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import {
  UpdateIndividualCustomer,
  updateIndividualCustomer,
} from '@stablecoin/contracts/customer/update-individual-customer';
import { UploadDocumentPart, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';

type CustomerReply = CommandReply<CustomerView>;

/** The table of contents: every subject that this service answers. */
@Controller()
export class CustomerMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(resolveApiKey)
  resolveApiKey(request: ResolveApiKey): Promise<ResolvedApiKey> {
    return this.queries.execute(request);
  }

  @Handles(findOwner)
  findOwner(request: FindOwner): Promise<Owner> {
    return this.queries.execute(request);
  }

  @Handles(createIndividualCustomer)
  createIndividualCustomer(request: CreateIndividualCustomer): Promise<CustomerReply> {
    return this.commands.execute(request);
  }

  @Handles(updateIndividualCustomer)
  updateIndividualCustomer(request: UpdateIndividualCustomer): Promise<CustomerReply> {
    return this.commands.execute(request);
  }

  @Handles(createBusinessCustomer)
  createBusinessCustomer(request: CreateBusinessCustomer): Promise<CustomerReply> {
    return this.commands.execute(request);
  }

  @Handles(updateBusinessCustomer)
  updateBusinessCustomer(request: UpdateBusinessCustomer): Promise<CustomerReply> {
    return this.commands.execute(request);
  }

  @Handles(uploadDocumentPart)
  uploadDocumentPart(request: UploadDocumentPart): Promise<{ upload_id: string }> {
    return this.commands.execute(request);
  }

  @Handles(closeCustomer)
  closeCustomer(request: CloseCustomer): Promise<CustomerReply> {
    return this.commands.execute(request);
  }

  @Handles(getCustomer)
  getCustomer(request: GetCustomer): Promise<CustomerView> {
    return this.queries.execute(request);
  }

  @Handles(listCustomers)
  listCustomers(request: ListCustomers): Promise<Page<CustomerView>> {
    return this.queries.execute(request);
  }
}
