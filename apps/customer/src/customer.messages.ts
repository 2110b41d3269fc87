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
import { CreateWebhook, createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { DeleteWebhook, deleteWebhook } from '@stablecoin/contracts/customer/delete-webhook';
import { FindOwner, findOwner, Owner } from '@stablecoin/contracts/customer/find-owner';
import { GetCustomer, getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { GetEvent, getEvent } from '@stablecoin/contracts/customer/get-event';
import { GetWebhook, getWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { ListCustomers, listCustomers } from '@stablecoin/contracts/customer/list-customers';
import { ListEvents, listEvents } from '@stablecoin/contracts/customer/list-events';
import { ListWebhooks, listWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { ResendEvent, resendEvent } from '@stablecoin/contracts/customer/resend-event';
import { ResolveApiKey, resolveApiKey, ResolvedApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { RotateWebhookSecret, rotateWebhookSecret } from '@stablecoin/contracts/customer/rotate-webhook-secret';
import { TestWebhook, testWebhook } from '@stablecoin/contracts/customer/test-webhook';
import {
  UpdateIndividualCustomer,
  updateIndividualCustomer,
} from '@stablecoin/contracts/customer/update-individual-customer';
import { UpdateWebhook, updateWebhook } from '@stablecoin/contracts/customer/update-webhook';
import { UploadDocumentPart, uploadDocumentPart } from '@stablecoin/contracts/customer/upload-document-part';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import {
  EventView,
  EventWithDeliveriesView,
  NewWebhookView,
  RotatedWebhookView,
  WebhookTestView,
  WebhookView,
} from '@stablecoin/contracts/customer/webhook-views';
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

  @Handles(createWebhook)
  createWebhook(request: CreateWebhook): Promise<CommandReply<NewWebhookView>> {
    return this.commands.execute(request);
  }

  @Handles(listWebhooks)
  listWebhooks(request: ListWebhooks): Promise<Page<WebhookView>> {
    return this.queries.execute(request);
  }

  @Handles(getWebhook)
  getWebhook(request: GetWebhook): Promise<WebhookView> {
    return this.queries.execute(request);
  }

  @Handles(updateWebhook)
  updateWebhook(request: UpdateWebhook): Promise<CommandReply<WebhookView>> {
    return this.commands.execute(request);
  }

  @Handles(deleteWebhook)
  deleteWebhook(request: DeleteWebhook): Promise<CommandReply<{ webhook_id: string }>> {
    return this.commands.execute(request);
  }

  @Handles(rotateWebhookSecret)
  rotateWebhookSecret(request: RotateWebhookSecret): Promise<CommandReply<RotatedWebhookView>> {
    return this.commands.execute(request);
  }

  @Handles(testWebhook)
  testWebhook(request: TestWebhook): Promise<CommandReply<WebhookTestView>> {
    return this.commands.execute(request);
  }

  @Handles(listEvents)
  listEvents(request: ListEvents): Promise<Page<EventView>> {
    return this.queries.execute(request);
  }

  @Handles(getEvent)
  getEvent(request: GetEvent): Promise<EventWithDeliveriesView> {
    return this.queries.execute(request);
  }

  @Handles(resendEvent)
  resendEvent(request: ResendEvent): Promise<CommandReply<EventWithDeliveriesView>> {
    return this.commands.execute(request);
  }
}
