import { OmitType } from '@nestjs/mapped-types';
import { ListCustomers } from '@stablecoin/contracts/customer/list-customers';

export class ListCustomersQuery extends OmitType(ListCustomers, ['merchant_id']) {}
