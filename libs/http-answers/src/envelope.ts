import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { always, count, listOf, object, ResponseSchema, ResponseOf, resource, text } from './response-schema';

export interface Success<Data> {
  status: 'success';
  data: Data;
}

export interface SuccessWithMessage<Data> extends Success<Data> {
  message: string;
}

export const PAGINATION_FIELDS = { total: count, page: count, limit: count, totalPages: count };
const PAGINATION = resource('Pagination', PAGINATION_FIELDS);
export type Pagination = ResponseOf<typeof PAGINATION>;

const SUCCESS = always('success');
/** The extra field of an envelope with a message, for `successOf` and `pageOf`. */
export const message = { message: text };

/** The schema of the value that `success` returns. */
export function successOf<Data>(data: ResponseSchema<Data>): ResponseSchema<Success<Data>>;
export function successOf<Data>(
  data: ResponseSchema<Data>,
  extras: typeof message,
): ResponseSchema<SuccessWithMessage<Data>>;
export function successOf<Data>(data: ResponseSchema<Data>, extras = {}): ResponseSchema<Success<Data>> {
  return object({ status: SUCCESS, data, ...extras });
}

/** The schema of one page of a list; `extras` are further fields of the envelope or its pagination. */
export function pageOf<Item>(item: ResponseSchema<Item>): ResponseSchema<Success<Item[]> & { pagination: Pagination }>;
export function pageOf<Item, Paging>(
  item: ResponseSchema<Item>,
  extras: { message: ResponseSchema<string>; pagination: ResponseSchema<Paging> },
): ResponseSchema<SuccessWithMessage<Item[]> & { pagination: Paging }>;
export function pageOf<Item>(item: ResponseSchema<Item>, extras = {}): ResponseSchema<Success<Item[]>> {
  return object({ status: SUCCESS, data: listOf(item), pagination: PAGINATION, ...extras });
}

/** The schema of a success that carries only a message. */
export const MESSAGE_ONLY = object({ status: SUCCESS, ...message });

export function success<Data>(data: Data): Success<Data>;
export function success<Data>(data: Data, message: string): SuccessWithMessage<Data>;
export function success<Data>(data: Data, sentence?: string): Success<Data> {
  return { status: 'success', data, ...(sentence !== undefined && { message: sentence }) };
}

/** One page of a list, each item as `present` prints it. */
export function successPage<Item, Printed>(page: Page<Item>, present: (item: Item) => Printed) {
  return { ...success(page.items.map(present)), pagination: paginationOf(page) };
}

export function paginationOf({ total, page, limit }: Page<unknown>): Pagination {
  return { total, page, limit, totalPages: Math.ceil(total / limit) };
}
