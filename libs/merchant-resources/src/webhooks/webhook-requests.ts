import { OmitType } from '@nestjs/mapped-types';
import { CreateWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { INJECTED_AT_REGISTRATION } from '@stablecoin/contracts/customer/key-mode';
import { ListEvents } from '@stablecoin/contracts/customer/list-events';
import { ListWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { UpdateWebhook } from '@stablecoin/contracts/customer/update-webhook';

export class CreateWebhookBody extends OmitType(CreateWebhook, INJECTED_AT_REGISTRATION) {}
export class ListWebhooksQuery extends OmitType(ListWebhooks, ['merchant_id']) {}
export class UpdateWebhookBody extends OmitType(UpdateWebhook, [...INJECTED_AT_REGISTRATION, 'webhook_id']) {}
export class ListEventsQuery extends OmitType(ListEvents, ['merchant_id']) {}
