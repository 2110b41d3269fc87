import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { deleteWebhook } from '@stablecoin/contracts/customer/delete-webhook';
import { listWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { rotateWebhookSecret } from '@stablecoin/contracts/customer/rotate-webhook-secret';
import { testWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { updateWebhook } from '@stablecoin/contracts/customer/update-webhook';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success, successPage } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import {
  CreateWebhookBody,
  ListWebhooksQuery,
  UpdateWebhookBody,
} from '@stablecoin/merchant-resources/webhooks/webhook-requests';
import {
  presentNewWebhook,
  presentRotatedWebhook,
  presentWebhook,
  presentWebhookTest,
} from '@stablecoin/merchant-resources/webhooks/webhook.presenter';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { MemberCommands } from '../commands/member-commands';
import { MerchantMember, FromMerchantMember } from '../commands/merchant-member';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery, NoFields } from '../reads/from-query';
import { ForRoles, SteppedUpByPasskey } from '../sessions/session.guard';

/** The endpoints to which a merchant's events are delivered. What shows or changes a secret wants the passkey to be seen. */
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly bus: BusClient,
    private readonly commands: MemberCommands,
  ) {}

  @Get()
  @ForRoles('developer', 'admin')
  async list(
    @FromMerchant() { merchant_id }: AskingMerchant,
    @FromQuery(ListWebhooksQuery) query: Plain<ListWebhooksQuery>,
  ) {
    return successPage(await this.bus.call(listWebhooks, { ...query, merchant_id }), presentWebhook);
  }

  @Post()
  @ForRoles('developer', 'admin')
  @SteppedUpByPasskey()
  async create(@FromMerchantMember() member: MerchantMember, @Body() body: unknown) {
    const terms = { ...validateRequest(CreateWebhookBody, body), key_mode: member.merchant.mode };
    const act = { action: 'webhook-created', details: {} } as const;
    return success(presentNewWebhook(await this.commands.ask(createWebhook, terms, act, member)));
  }

  @Put(':webhook_id')
  @ForRoles('developer', 'admin')
  @SteppedUpByPasskey()
  async update(@FromMerchantMember() member: MerchantMember, @Param('webhook_id') id: string, @Body() body: unknown) {
    const webhook_id = pathUuid(id);
    const changed = validateRequest(UpdateWebhookBody, body);
    const terms = { ...changed, webhook_id, key_mode: member.merchant.mode };
    // Which of its fields: a URL may hold a token of the receiver's.
    const details = { webhook_id, changed: Object.keys(changed).sort().join() };
    const act = { action: 'webhook-changed', details } as const;
    return success(presentWebhook(await this.commands.ask(updateWebhook, terms, act, member)));
  }

  @Delete(':webhook_id')
  @HttpCode(204)
  @ForRoles('developer', 'admin')
  @SteppedUpByPasskey()
  async delete(@FromMerchantMember() member: MerchantMember, @Param('webhook_id') id: string) {
    const webhook_id = pathUuid(id);
    const act = { action: 'webhook-deleted', details: { webhook_id } } as const;
    await this.commands.ask(deleteWebhook, { webhook_id }, act, member);
  }

  @Post(':webhook_id/rotate-secret')
  @HttpCode(200)
  @ForRoles('developer', 'admin')
  @SteppedUpByPasskey()
  async rotateSecret(
    @FromMerchantMember() member: MerchantMember,
    @Param('webhook_id') id: string,
    @Body() body: unknown,
  ) {
    validateRequest(NoFields, body);
    const webhook_id = pathUuid(id);
    const act = { action: 'webhook-secret-rotated', details: { webhook_id } } as const;
    const rotated = await this.commands.ask(rotateWebhookSecret, { webhook_id }, act, member);
    return success(presentRotatedWebhook(rotated));
  }

  @Post(':webhook_id/test')
  @HttpCode(200)
  @ForRoles('developer', 'admin')
  async test(@FromMerchantMember() member: MerchantMember, @Param('webhook_id') id: string, @Body() body: unknown) {
    validateRequest(NoFields, body);
    const webhook_id = pathUuid(id);
    const act = { action: 'webhook-tested', details: { webhook_id } } as const;
    return success(presentWebhookTest(await this.commands.ask(testWebhook, { webhook_id }, act, member)));
  }
}
