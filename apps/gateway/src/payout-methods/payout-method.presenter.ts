import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { PAGINATION_FIELDS, paginationOf } from '@stablecoin/http-answers/envelope';
import {
  always,
  currency,
  eitherOf,
  flag,
  network,
  nullable,
  ResponseOf,
  resource,
  text,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

const OWNER_AND_TIMES = { customer_id: nullable(uuid), created_at: timestamp, updated_at: timestamp };

export const WALLET_METHOD = resource('WalletPayoutMethod', {
  id: uuid,
  type: always('WALLET'),
  currency,
  label: nullable(text),
  wallet_address: text,
  network,
  ...OWNER_AND_TIMES,
});

export const BANK_METHOD = resource('BankPayoutMethod', {
  id: uuid,
  type: always('BANK'),
  currency,
  account_name: nullable(text),
  account_number: text,
  bank_name: nullable(text),
  bank_code: nullable(text),
  sort_code: nullable(text),
  swift_code: nullable(text),
  routing_number: nullable(text),
  iban: nullable(text),
  ...OWNER_AND_TIMES,
});

export const PAYOUT_METHOD = eitherOf('PayoutMethod', 'type', { WALLET: WALLET_METHOD, BANK: BANK_METHOD });

/** Only this list also says whether there are pages before and after it. */
export const METHOD_PAGINATION = resource('PayoutMethodPagination', {
  ...PAGINATION_FIELDS,
  hasNextPage: flag,
  hasPreviousPage: flag,
});

export function presentPayoutMethod(view: PayoutMethodView): ResponseOf<typeof PAYOUT_METHOD> {
  return view.type === 'WALLET' ? presentWalletMethod(view) : presentBankMethod(view);
}

export function presentWalletMethod(view: PayoutMethodView): ResponseOf<typeof WALLET_METHOD> {
  if (view.type !== 'WALLET') throw new Error('a bank account where a crypto address was saved');
  const { id, type, currency, label, wallet_address, network, customer_id, created_at, updated_at } = view;
  return { id, type, currency, label, wallet_address, network, customer_id, created_at, updated_at };
}

export function presentBankMethod(view: PayoutMethodView): ResponseOf<typeof BANK_METHOD> {
  if (view.type !== 'BANK') throw new Error('a crypto address where a bank account was saved');
  const { id, currency, customer_id, created_at, updated_at } = view;
  const { type, account_name, account_number, bank_name, bank_code } = view;
  const { sort_code, swift_code, routing_number, iban } = view;
  const account = { account_name, account_number, bank_name, bank_code, sort_code, swift_code, routing_number, iban };
  return { id, type, currency, ...account, customer_id, created_at, updated_at };
}

export function methodPaginationOf(page: Page<unknown>): ResponseOf<typeof METHOD_PAGINATION> {
  const pagination = paginationOf(page);
  return {
    ...pagination,
    hasNextPage: pagination.page < pagination.totalPages,
    hasPreviousPage: pagination.page > 1,
  };
}
