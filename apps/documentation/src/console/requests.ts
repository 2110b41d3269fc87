import { type ConsoleOperation, type Filled, isCommand, takesJson, targetOf } from './console-operation';

/** What is sent, relative to the API's root. */
export interface ConsoleRequest {
  method: string;
  target: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

export interface ConsoleAnswer {
  status: number;
  statusText: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** As it came. */
  text: string;
  /** Read as JSON; undefined if it isn't. */
  body: unknown;
}

/** The headers that say something about this one request. */
const SHOWN_HEADERS = ['x-request-id', 'idempotency-replayed', 'x-outcome', 'ratelimit', 'retry-after'];

/** @param file what is sent where the operation takes a file: what the reader chose, or the text of the example */
export function requestOf(operation: ConsoleOperation, filled: Filled, apiKey: string, file?: Blob): ConsoleRequest {
  const headers: Record<string, string> = { 'x-api-key': apiKey };
  if (isCommand(operation) && filled.idempotencyKey !== '') headers['idempotency-key'] = filled.idempotencyKey;
  const request = { method: operation.method, target: targetOf(operation, filled), headers };
  if (operation.takesFile) return { ...request, body: formWith(file ?? new Blob([filled.body])) };
  if (!takesJson(operation)) return request;
  return { ...request, headers: { ...headers, 'content-type': 'application/json' }, body: filled.body };
}

function formWith(file: Blob): FormData {
  const form = new FormData();
  form.append('file', file, 'name' in file ? String(file.name) : 'document.pdf');
  return form;
}

/** Sends it to the service that this page came from, and to no other. */
export async function send(
  { method, target, headers, body }: ConsoleRequest,
  apiRoot = '/api',
): Promise<ConsoleAnswer> {
  const response = await fetch(`${apiRoot}${target}`, {
    method,
    headers,
    body: body ?? null,
    credentials: 'omit',
  });
  const text = await response.text();
  return {
    status: response.status,
    statusText: response.statusText,
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    text,
    body: parsed(text),
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** JSON with line breaks; anything else as it is. */
export function readable(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

/** What stands at a path of names and indexes: `['data', 0, 'id']`. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (part, name) => (part === null || typeof part !== 'object' ? undefined : (part as Record<string, unknown>)[name]),
    value,
  );
}
