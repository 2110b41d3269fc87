import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { getEvent } from '@stablecoin/contracts/customer/get-event';
import { listEvents } from '@stablecoin/contracts/customer/list-events';
import { resendEvent } from '@stablecoin/contracts/customer/resend-event';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success, successPage } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { presentEvent, presentEventWithDeliveries } from '@stablecoin/merchant-resources/webhooks/event.presenter';
import { ListEventsQuery } from '@stablecoin/merchant-resources/webhooks/webhook-requests';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { MemberCommands } from '../commands/member-commands';
import { MerchantMember, FromMerchantMember } from '../commands/merchant-member';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery, NoFields, WithoutQuery } from '../reads/from-query';
import { ForRoles } from '../sessions/session.guard';

/** What was sent to a merchant's endpoints, or would have been. */
@Controller('events')
export class EventsController {
  constructor(
    private readonly bus: BusClient,
    private readonly commands: MemberCommands,
  ) {}

  @Get()
  @ForRoles('developer', 'admin')
  async list(
    @FromMerchant() { merchant_id }: AskingMerchant,
    @FromQuery(ListEventsQuery) query: Plain<ListEventsQuery>,
  ) {
    return successPage(await this.bus.call(listEvents, { ...query, merchant_id }), presentEvent);
  }

  @Get(':event_id')
  @ForRoles('developer', 'admin')
  async get(
    @FromMerchant() { merchant_id }: AskingMerchant,
    @Param('event_id') id: string,
    @WithoutQuery() _query: object,
  ) {
    const event = await this.bus.call(getEvent, { merchant_id, event_id: pathUuid(id) });
    return success(presentEventWithDeliveries(event));
  }

  @Post(':event_id/resend')
  @HttpCode(200)
  @ForRoles('developer', 'admin')
  async resend(@FromMerchantMember() member: MerchantMember, @Param('event_id') id: string, @Body() body: unknown) {
    validateRequest(NoFields, body);
    const event_id = pathUuid(id);
    const act = { action: 'event-resent', details: { event_id } } as const;
    return success(presentEventWithDeliveries(await this.commands.ask(resendEvent, { event_id }, act, member)));
  }
}
