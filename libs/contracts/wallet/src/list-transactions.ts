import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import {
  TRANSACTION_MODES,
  TRANSACTION_STATUSES,
  TRANSACTION_TYPES,
  TransactionMode,
  TransactionStatus,
  TransactionType,
  TransactionView,
  WAITING_FOR,
  WaitingFor,
} from './views';

/** The merchant's transactions that meet every filter given; newest first. Dates are whole UTC days, both included. */
export class ListTransactions extends MerchantRequest {
  @Optional() @IsUuid() customer_id?: string;
  /** A part of `transaction_id` or of `id`, in any case; every character is taken literally. */
  @Optional() @IsText({ max: 64 }) search?: string;
  @Optional() @IsOneOf(TRANSACTION_STATUSES) status?: TransactionStatus;
  @Optional() @IsText({ max: 64 }) transaction_id?: string;
  @Optional() @IsOneOf(TRANSACTION_TYPES) transaction_type?: TransactionType;
  @Optional() @IsOneOf(TRANSACTION_MODES) transaction_mode?: TransactionMode;
  @Optional() @IsText({ max: 16 }) currency?: string;
  /** Payouts that wait for this. */
  @Optional() @IsOneOf(WAITING_FOR) waiting_for?: WaitingFor;
  @Optional() @IsDay() start_date?: string;
  @Optional() @IsDay() end_date?: string;
  /** The `id` of a transaction of the merchant: those that follow it in the list, whatever has come before it since. With page 1. */
  @Optional() @IsUuid() after?: string;
  @IsPage() page = 1;
  @IsLimit() limit = 10;
}

export const listTransactions = operation({
  subject: 'wallet.list-transactions',
  readOnly: true,
  request: ListTransactions,
  reply: replies<Page<TransactionView>>(),
  errors: ['not_found'],
});
