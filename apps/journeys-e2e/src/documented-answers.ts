import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';

/**
 * Checks responses against docs/openapi.json: status, content type, headers and body, and no field beyond those
 * described. Every journey's client checks every response, so that the document promises nothing that the service
 * doesn't do, and the service does nothing that the document doesn't describe.
 */

const FILE = join(resolve(__dirname, '../../..'), 'docs/openapi.json');
const JSON_TYPE = 'application/json; charset=utf-8';
const SHOWN_CHARACTERS = 2_000;
/** The refusals of requests that reach no operation. */
const WITHOUT_OPERATION = [
  'invalid_api_key',
  'rate_limited',
  'uri_too_long',
  'not_found',
  'method_not_allowed',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

export interface Operation {
  operationId: string;
  method: string;
  /** Such as `/wallets/{wallet_id}`. */
  path: string;
  parameters: Parameter[];
  body?: Schema;
  takesForm: boolean;
  successStatus: number;
  /** Whole bodies that the document shows, by name. */
  examples: Record<string, unknown>;
  /** Where it stands in the document. */
  pointer: string;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: Schema;
}

/** JSON Schema, as far as the tests read it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Content {
  schema: Schema;
  examples?: Record<string, { value: unknown }>;
}

interface Header {
  $ref?: string;
  required?: boolean;
  schema?: Schema;
}

interface Response {
  description?: string;
  'x-status'?: number;
  headers?: Record<string, Header>;
}

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

type Node = Record<string, unknown>;

const document = JSON.parse(readFileSync(FILE, 'utf8')) as Node & {
  paths: Record<string, Record<string, Node>>;
  components: { headers: Node; schemas: Record<string, Schema> };
  'x-refusals': Record<string, Response>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);
ajv.addSchema({ $id: 'interface', ...document });

/** Every header of the document, with its place there: among the components, or where it is the only one. */
const HEADER_PLACES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(document['x-refusals']).flatMap(([code, { headers = {} }]) =>
    Object.keys(headers).map((name) => [name, `/x-refusals/${code}/headers/${escaped(name)}`] as const),
  ),
  ...Object.keys(document.components.headers).map((name) => [name, `/components/headers/${escaped(name)}`] as const),
]);

export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => operationOf(method, path, operation)),
);

function operationOf(method: string, path: string, operation: Node): Operation {
  const parameters = (operation['parameters'] as (Parameter & { $ref?: string })[]).map((parameter) =>
    followed(parameter),
  );
  const body = operation['requestBody'] as { content: Record<string, Content> } | undefined;
  const { 'application/json': json, 'multipart/form-data': form } = body?.content ?? {};
  const shown = Object.entries((json ?? form)?.examples ?? {});
  const pointer = `/paths/${escaped(path)}/${method}`;
  return {
    operationId: operation['operationId'] as string,
    method: method.toUpperCase(),
    path,
    parameters,
    body: json?.schema,
    takesForm: form !== undefined,
    successStatus: Number(Object.keys(operation['responses'] as Node).find((status) => status.startsWith('2'))),
    examples: Object.fromEntries(shown.map(([name, { value }]) => [name, value])),
    pointer,
  };
}

/** What a reference points at; anything else as it is. */
export function followed<Part extends { $ref?: string }>(part: Part): Part {
  if (part.$ref === undefined) return part;
  const { $ref, ...beside } = part;
  return { ...(at($ref.slice(1)) as Part), ...beside };
}

/** Throws when the response is not one that the document describes for this request. */
export function assertDocumented(method: string, path: string, answer: Answered): void {
  const problems = problemsOf(method, path, answer);
  if (problems.length === 0) return;
  const shown = answer.text.slice(0, SHOWN_CHARACTERS);
  throw new Error(
    `${method} ${path} answered ${answer.status} as docs/openapi.json does not say (if the code is right: npm run docs):\n` +
      `${problems.map((problem) => `  - ${problem}`).join('\n')}\n${shown}`,
  );
}

/** As fetch, for a client of the API at that URL: an answer that the document does not describe is none. */
export function documentedFetch(baseUrl: string): typeof fetch {
  const root = new URL(baseUrl).pathname;
  return async (input, init) => {
    const response = await fetch(input, init);
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const { status, headers } = response;
    const text = await response.clone().text();
    assertDocumented(init?.method ?? 'GET', pathname.slice(root.length), { status, headers, text });
    return response;
  };
}

/** The differences between the response and the document; none when it is as described. */
export function problemsOf(method: string, path: string, answer: Answered): string[] {
  const operation = operationFor(method, path);
  const { pointer, problem } = operation ? responseOf(operation, answer.status) : refusalWithoutOperation(answer);
  if (problem !== undefined) return [problem];
  const response = at(pointer) as Response;
  return [...headerProblems(response, answer.headers), ...bodyProblems(method, pointer, answer)];
}

function responseOf({ pointer, method, path }: Operation, status: number): { pointer: string; problem?: string } {
  const here = `${pointer}/responses/${status}`;
  const response = at(here) as { $ref?: string } | undefined;
  if (!response) return { pointer: here, problem: `status ${status} is not documented for ${method} ${path}` };
  return { pointer: response.$ref?.slice(1) ?? here };
}

function refusalWithoutOperation({ text, status }: Answered): { pointer: string; problem?: string } {
  const { code } = (parsed(text) ?? {}) as { code?: string };
  const statusOf = (name: string) => (at(refusalPointer(name)) as Response)['x-status'];
  // An answer to HEAD has no body to tell its code.
  const name = WITHOUT_OPERATION.find((known) => statusOf(known) === status && (code ?? known) === known);
  if (name !== undefined) return { pointer: refusalPointer(name) };
  return { pointer: '', problem: `${status} ${String(code)} for a path and method that are not documented` };
}

/** Refusals that no operation refers to stand beside the components. */
function refusalPointer(code: string): string {
  const pointer = `/x-refusals/${code}`;
  return at(pointer) === undefined ? `/components/responses/${code}` : pointer;
}

/** The operation that serves a path under the API's root, query included or not. */
export function operationFor(method: string, path: string): Operation | undefined {
  const [bare = ''] = path.split('?', 1);
  const wanted = method === 'HEAD' ? 'GET' : method;
  const segments = bare.split('/').map(decoded);
  if (segments.includes(undefined)) return undefined;
  const matching = OPERATIONS.filter((operation) => operation.method === wanted && serves(operation.path, segments));
  // A literal path takes precedence over one with a parameter in that place.
  return matching.sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
}

function serves(template: string, segments: readonly (string | undefined)[]): boolean {
  const parts = template.split('/');
  const fits = (part: string, index: number) =>
    part.startsWith('{') ? segments[index] !== '' : segments[index] === part;
  return parts.length === segments.length && parts.every(fits);
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

function headerProblems({ headers: described = {} }: Response, actual: Headers): string[] {
  const type = actual.get('content-type');
  const problems = type === JSON_TYPE ? [] : [`content-type is ${type}, not ${JSON_TYPE}`];
  for (const [name, place] of HEADER_PLACES) {
    const text = actual.get(name);
    const header = described[name] && followed(described[name]);
    if (text === null) {
      if (header?.required) problems.push(`the header ${name} is missing`);
    } else if (header) {
      problems.push(...schemaProblems(`${place}/schema`, headerValue(header, text), name));
    } else problems.push(`the header ${name} is not documented here`);
  }
  return problems;
}

/** Headers are text; one that is described as a number is read as such. */
function headerValue({ schema }: Header, text: string): unknown {
  return schema?.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
}

function bodyProblems(method: string, pointer: string, { text, headers }: Answered): string[] {
  if (method === 'HEAD') return text === '' ? [] : ['an answer to HEAD has a body'];
  const body = parsed(text);
  const problems = schemaProblems(`${pointer}/content/${escaped('application/json')}/schema`, body, 'body');
  return [...problems, ...refusalProblems(body ?? {}, headers)];
}

interface Refusal {
  status?: string;
  code?: string;
  message?: string;
  request_id?: string;
}

/** What a schema can't check of a refusal: its message is the documented one, and so reveals nothing internal. */
function refusalProblems({ status, code, message, request_id }: Refusal, headers: Headers): string[] {
  if (status !== 'error') return [];
  const problems = [];
  if (request_id !== headers.get('x-request-id')) problems.push('request_id is not the x-request-id of the response');
  const { description } = (at(refusalPointer(String(code))) ?? {}) as Response;
  if (description !== `\`${code}\`: ${message}`) problems.push(`message is not the sentence of ${code}`);
  return problems;
}

function schemaProblems(pointer: string, value: unknown, name: string): string[] {
  const validate = ajv.getSchema(`interface#${encodeURI(pointer)}`);
  if (!validate) throw new Error(`docs/openapi.json has no schema at ${pointer}`);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function at(pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  const unescaped = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return unescaped.reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document);
}
