import { Controller, Get, Param, Post } from '@nestjs/common';
import { getEvent } from '@stablecoin/contracts/customer/get-event';
import { listEvents } from '@stablecoin/contracts/customer/list-events';
import { resendEvent } from '@stablecoin/contracts/customer/resend-event';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { pageOf, success, successOf, successPage } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { FromBody, FromQuery, NoFields } from '../routes/input';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { ListEventsQuery } from '@stablecoin/merchant-resources/webhooks/webhook-requests';
import {
  EVENT,
  EVENT_WITH_DELIVERIES,
  presentEvent,
  presentEventWithDeliveries,
} from '@stablecoin/merchant-resources/webhooks/event.presenter';

/** The merchant's events, kept for `EVENT_RETENTION_DAYS`, whether or not a webhook received them. */
@Controller('events')
export class EventsController {
  constructor(private readonly bus: BusClient) {}

  @Get()
  @Route({ operationId: 'listEvents', summary: 'List events', answer: 'Events, newest first', responds: pageOf(EVENT) })
  async list(@FromCaller() { merchant_id }: Caller, @FromQuery(ListEventsQuery) query: Plain<ListEventsQuery>) {
    return successPage(await this.bus.call(listEvents, { ...query, merchant_id }), presentEvent);
  }

  @Get(':event_id')
  @Route({
    operationId: 'getEvent',
    summary: 'Get one event, with how it fared at each webhook',
    answer: 'The event with its deliveries',
    responds: successOf(EVENT_WITH_DELIVERIES),
    errors: getEvent.errors,
  })
  async get(@FromCaller() { merchant_id }: Caller, @Param('event_id') id: string) {
    const event = await this.bus.call(getEvent, { merchant_id, event_id: pathUuid(id) });
    return success(presentEventWithDeliveries(event));
  }

  @Post(':event_id/resend')
  @Route({
    operationId: 'resendEvent',
    summary: 'Send an event again, under the same id, to every enabled webhook that takes its type',
    answer: 'The event with its deliveries, due again',
    responds: successOf(EVENT_WITH_DELIVERIES),
    cost: 10,
    errors: resendEvent.errors,
  })
  async resend(@Param('event_id') id: string, @FromBody(NoFields) _body: NoFields, @FromCommand() command: Command) {
    const reply = await this.bus.call(resendEvent, { event_id: pathUuid(id), ...command.ids });
    return success(presentEventWithDeliveries(command.resultOf(reply)));
  }
}
