import { Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { deleteWebhook } from '@stablecoin/contracts/customer/delete-webhook';
import { getWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { listWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { rotateWebhookSecret } from '@stablecoin/contracts/customer/rotate-webhook-secret';
import { testWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { updateWebhook } from '@stablecoin/contracts/customer/update-webhook';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { MESSAGE_ONLY, pageOf, success, successOf, successPage } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { FromBody, FromQuery, NoFields } from '../routes/input';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import {
  CreateWebhookBody,
  ListWebhooksQuery,
  UpdateWebhookBody,
} from '@stablecoin/merchant-resources/webhooks/webhook-requests';
import {
  NEW_WEBHOOK,
  presentNewWebhook,
  presentRotatedWebhook,
  presentWebhook,
  presentWebhookTest,
  ROTATED_WEBHOOK,
  WEBHOOK,
  WEBHOOK_TEST,
} from '@stablecoin/merchant-resources/webhooks/webhook.presenter';

/** The endpoints to which a merchant's events are delivered. */
@Controller('webhooks')
export class WebhooksController {
  constructor(private readonly bus: BusClient) {}

  @Post()
  @Route({
    operationId: 'createWebhook',
    summary: 'Register a URL that events are sent to',
    answer: 'The webhook with its secret, which is shown here and by a rotation only',
    bodies: {
      'A receiver on this machine': {
        url: 'http://127.0.0.1:4000/webhooks',
        events: ['payout.completed', 'payout.failed', 'payout.reversed'],
        description: 'Payouts, while I try it out',
      },
    },
    responds: successOf(NEW_WEBHOOK),
    errors: createWebhook.errors,
  })
  async create(
    @FromCaller() { mode: key_mode }: Caller,
    @FromBody(CreateWebhookBody) body: Plain<CreateWebhookBody>,
    @FromCommand() command: Command,
  ) {
    const reply = await this.bus.call(createWebhook, { ...body, key_mode, ...command.ids });
    return success(presentNewWebhook(command.resultOf(reply)));
  }

  @Get()
  @Route({
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    answer: 'Webhooks, newest first',
    responds: pageOf(WEBHOOK),
  })
  async list(@FromCaller() { merchant_id }: Caller, @FromQuery(ListWebhooksQuery) query: Plain<ListWebhooksQuery>) {
    return successPage(await this.bus.call(listWebhooks, { ...query, merchant_id }), presentWebhook);
  }

  @Get(':webhook_id')
  @Route({
    operationId: 'getWebhook',
    summary: 'Get one webhook',
    answer: 'The webhook',
    responds: successOf(WEBHOOK),
    errors: getWebhook.errors,
  })
  async get(@FromCaller() { merchant_id }: Caller, @Param('webhook_id') id: string) {
    return success(presentWebhook(await this.bus.call(getWebhook, { merchant_id, webhook_id: pathUuid(id) })));
  }

  @Put(':webhook_id')
  @Route({
    operationId: 'updateWebhook',
    summary: 'Change, disable or enable a webhook; absent fields stay as they are',
    answer: 'The webhook as it is now',
    bodies: { 'All types, and enabled': { events: null, status: 'enabled' } },
    responds: successOf(WEBHOOK),
    errors: updateWebhook.errors,
  })
  async update(
    @FromCaller() { mode: key_mode }: Caller,
    @Param('webhook_id') id: string,
    @FromBody(UpdateWebhookBody) body: Plain<UpdateWebhookBody>,
    @FromCommand() command: Command,
  ) {
    const webhook_id = pathUuid(id);
    const reply = await this.bus.call(updateWebhook, { ...body, webhook_id, key_mode, ...command.ids });
    return success(presentWebhook(command.resultOf(reply)));
  }

  @Delete(':webhook_id')
  @Route({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook: nothing more is sent to it',
    answer: 'Nothing: there is a message instead',
    responds: MESSAGE_ONLY,
    errors: deleteWebhook.errors,
  })
  async delete(@Param('webhook_id') id: string, @FromBody(NoFields) _body: NoFields, @FromCommand() command: Command) {
    const webhook_id = pathUuid(id);
    command.resultOf(await this.bus.call(deleteWebhook, { webhook_id, ...command.ids }));
    return { status: 'success' as const, message: 'Webhook deleted successfully' };
  }

  @Post(':webhook_id/rotate-secret')
  @Route({
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook; the old one signs beside the new one for 24 hours',
    answer: 'The webhook with its new secret',
    responds: successOf(ROTATED_WEBHOOK),
    errors: rotateWebhookSecret.errors,
  })
  async rotateSecret(
    @Param('webhook_id') id: string,
    @FromBody(NoFields) _body: NoFields,
    @FromCommand() command: Command,
  ) {
    const reply = await this.bus.call(rotateWebhookSecret, { webhook_id: pathUuid(id), ...command.ids });
    return success(presentRotatedWebhook(command.resultOf(reply)));
  }

  @Post(':webhook_id/test')
  @Route({
    operationId: 'testWebhook',
    summary:
      'Send a test event to a webhook, once, and wait up to three seconds for how it went; one at a time per webhook, two per merchant',
    answer: 'How it went, or queued',
    responds: successOf(WEBHOOK_TEST),
    cost: 10,
    errors: testWebhook.errors,
  })
  async test(@Param('webhook_id') id: string, @FromBody(NoFields) _body: NoFields, @FromCommand() command: Command) {
    const reply = await this.bus.call(testWebhook, { webhook_id: pathUuid(id), ...command.ids });
    return success(presentWebhookTest(command.resultOf(reply)));
  }
}
