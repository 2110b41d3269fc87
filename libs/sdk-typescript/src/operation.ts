import type { FileContent } from './request-body';

/** One operation of the interface with what the caller gave it, as the generated resources hand it to the transport. */
export interface Operation {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, with its parameters in braces. */
  path: string;
  pathParameters?: Readonly<Record<string, string>>;
  query?: object;
  body?: object;
  file?: { field: string; content: FileContent };
  takesIdempotencyKey?: boolean;
}

/** What any call may be given beside its arguments. */
export interface RequestOptions {
  /** Ends the call, wherever it is. What was sent by then may take effect. */
  signal?: AbortSignal;
  /** For one attempt. */
  timeoutMs?: number;
  /** For all attempts and the waits between them. */
  deadlineMs?: number;
  /** Attempts after the first. */
  maxRetries?: number;
  /** Headers of your own; they do not replace those of this package. */
  headers?: Readonly<Record<string, string>>;
  /** Names the call in the service's logs, and in your own; drawn if left out. */
  requestId?: string;
}

/** What a call that changes something may be given. */
export interface WriteOptions extends RequestOptions {
  /**
   * Makes the call take effect once, however often it is sent, by this process or the next. Drawn if left out, and kept over all
   * attempts of this call. Give your own, such as the number of your order, to be able to repeat the call after a crash.
   */
  idempotencyKey?: string;
}

/** The path with its parameters filled in. An empty id would name another resource. */
export function pathOf({ path, pathParameters = {} }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = pathParameters[name];
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new TypeError(`${name} must be a text that names something.`);
    }
    return encodeURIComponent(value);
  });
}

/** `?page=2&status=PENDING`; what is null or undefined is left out. */
export function queryOf({ query = {} }: Operation): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}
