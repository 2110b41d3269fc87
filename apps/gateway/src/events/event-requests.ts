import { OmitType } from '@nestjs/mapped-types';
import { ListEvents } from '@stablecoin/contracts/customer/list-events';

export class ListEventsQuery extends OmitType(ListEvents, ['merchant_id']) {}
