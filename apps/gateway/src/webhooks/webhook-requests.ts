import { OmitType } from '@nestjs/mapped-types';
import { CreateWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { ListWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';

export class CreateWebhookBody extends OmitType(CreateWebhook, [...INJECTED_FIELDS, 'mode']) {}
export class ListWebhooksQuery extends OmitType(ListWebhooks, ['merchant_id']) {}
