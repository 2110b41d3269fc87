import { Page } from '@stablecoin/contracts/wire/fields/paging';

export interface Success<Data> {
  status: 'success';
  data: Data;
  message?: string;
}

export interface Pagination {
  total: number;
  page: number;
  limit: number;
  totalPages: number;
}

export function success<Data>(data: Data, message?: string): Success<Data> {
  return message === undefined ? { status: 'success', data } : { status: 'success', data, message };
}

/** One page of a list, each item as `present` prints it. */
export function successPage<Item, Printed>(page: Page<Item>, present: (item: Item) => Printed) {
  return { ...success(page.items.map(present)), pagination: paginationOf(page) };
}

export function paginationOf({ total, page, limit }: Page<unknown>): Pagination {
  return { total, page, limit, totalPages: Math.ceil(total / limit) };
}
