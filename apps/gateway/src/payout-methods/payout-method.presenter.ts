import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { paginationOf } from '../http/envelope';

export function presentPayoutMethod(view: PayoutMethodView) {
  const { id, type, currency, customer_id, created_at, updated_at } = view;
  return { id, type, currency, ...destinationOf(view), customer_id, created_at, updated_at };
}

function destinationOf(view: PayoutMethodView) {
  if (view.type === 'WALLET') {
    const { label, wallet_address, network } = view;
    return { label, wallet_address, network };
  }
  const { account_name, account_number, bank_name, bank_code, sort_code, swift_code, routing_number, iban } = view;
  return { account_name, account_number, bank_name, bank_code, sort_code, swift_code, routing_number, iban };
}

/** This list alone also tells whether there are pages on either side. */
export function methodPaginationOf(page: Page<unknown>) {
  const pagination = paginationOf(page);
  return {
    ...pagination,
    hasNextPage: pagination.page < pagination.totalPages,
    hasPreviousPage: pagination.page > 1,
  };
}
