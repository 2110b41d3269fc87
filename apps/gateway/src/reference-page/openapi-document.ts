import { RequestMethod, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { ERROR_CODES, ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { scopeOf } from '../authentication/caller';
import { ERROR_TABLE } from '../errors/error-table';
import { inputClassesOf, NoFields } from '../http/input';
import { descriptionOf, RouteDescription } from '../http/route';
import { classSchema, fieldsOf, JsonSchema } from './class-schema';

/**
 * The OpenAPI 3.1 document, made of what the server itself runs on: the controllers' routes, the classes that check
 * their input, and the error table. There is no second description that could say something else.
 */

interface RouteFacts {
  controller: Type;
  key: string;
  method: string;
  /** Such as `/wallets/{wallet_id}`. */
  path: string;
  description: RouteDescription;
}

const COMMAND_ERRORS: readonly ErrorCode[] = ['malformed_json', 'payload_too_large', 'unsupported_media_type'];
const EVERY_ROUTE_ERRORS: readonly ErrorCode[] = [
  'validation_failed',
  'invalid_api_key',
  'insufficient_scope',
  'uri_too_long',
  'rate_limited',
  'internal_error',
  'unavailable',
];

export function openApiDocument(controllers: readonly Type[]): object {
  const schemas: Record<string, JsonSchema> = { Error: errorSchema(), Pagination: paginationSchema() };
  const refOf = (type: RequestClass<object>): string => {
    if (!schemas[type.name]) {
      schemas[type.name] = {};
      schemas[type.name] = classSchema(type, refOf);
    }
    return `#/components/schemas/${type.name}`;
  };
  const paths: Record<string, Record<string, object>> = {};
  for (const route of controllers.flatMap(routesOf)) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, refOf) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stablecoin Account Service',
      version: '1.0.0',
      description:
        'Customers, wallets, swaps, payouts and transactions of a merchant. Every request carries x-api-key.',
    },
    servers: [{ url: '/api' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      schemas,
    },
  };
}

function routesOf(controller: Type): RouteFacts[] {
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return Object.getOwnPropertyNames(controller.prototype).flatMap((key) => {
    const handler = (controller.prototype as Record<string, object>)[key] as object;
    const description = descriptionOf(handler);
    if (!description) return [];
    const path = [base, Reflect.getMetadata(PATH_METADATA, handler) as string]
      .flatMap((part) => part.split('/'))
      .filter(Boolean);
    return {
      controller,
      key,
      method: RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod].toLowerCase(),
      path: `/${path.map((part) => (part.startsWith(':') ? `{${part.slice(1)}}` : part)).join('/')}`,
      description,
    };
  });
}

function operationOf(route: RouteFacts, refOf: (type: RequestClass<object>) => string): object {
  const { controller, key, method, path, description } = route;
  const { body, query } = inputClassesOf(controller.prototype as object, key);
  const isCommand = method !== 'get';
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name)),
    ...(query ? fieldsOf(query, refOf).map((field) => ({ ...field, in: 'query', schema: notNull(field.schema) })) : []),
    ...(isCommand ? [IDEMPOTENCY_KEY] : []),
  ];
  return {
    operationId: `${key}${controller.name.replace(/Controller$/, '')}`,
    summary: description.summary,
    description: `Needs a key with the scope \`${scopeOf(method.toUpperCase(), `/api${path}`)}\`.`,
    tags: [controller.name.replace(/Controller$/, '')],
    parameters,
    ...(body && body !== NoFields && { requestBody: requestBody(refOf(body), method !== 'delete') }),
    responses: responsesOf(description, isCommand),
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes the request safe to repeat: the same key and body take effect once.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

/** All paths end in UUIDs but those of transactions, which also have a short identifier. */
function pathParameter(name: string): object {
  const isShort = name === 'transaction_id' || name === 'id';
  return {
    name,
    in: 'path',
    required: true,
    schema: isShort ? { type: 'string' } : { type: 'string', format: 'uuid' },
  };
}

/** A query can't say null. */
function notNull({ type, enum: values, anyOf, ...schema }: JsonSchema): JsonSchema {
  const [only] = [type ?? []].flat();
  const alternatives = anyOf?.filter((alternative) => alternative.type !== 'null');
  return {
    ...schema,
    ...(only && { type: only }),
    ...(values && { enum: values.filter((value) => value !== null) }),
    ...(alternatives && { anyOf: alternatives }),
  };
}

const jsonOf = (schema: object) => ({ 'application/json': { schema } });
const requestBody = ($ref: string, required: boolean) => ({ required, content: jsonOf({ $ref }) });

function responsesOf(
  { answer, status = 200, errors = [], paged = false }: RouteDescription,
  isCommand: boolean,
): object {
  const codes = new Set([...EVERY_ROUTE_ERRORS, ...(isCommand ? COMMAND_ERRORS : []), ...errors]);
  const statuses = [...new Set([...codes].map((code) => ERROR_TABLE[code].status))].sort();
  const refusals = statuses.map((refused) => {
    const here = [...codes].filter((code) => ERROR_TABLE[code].status === refused);
    return [refused, { description: here.join(', '), content: jsonOf({ $ref: '#/components/schemas/Error' }) }];
  });
  return { [status]: { description: answer, content: jsonOf(successSchema(paged)) }, ...Object.fromEntries(refusals) };
}

function successSchema(paged: boolean): object {
  return {
    type: 'object',
    properties: {
      status: { const: 'success' },
      data: paged ? { type: 'array', items: { type: 'object' } } : {},
      message: { type: 'string' },
      ...(paged && { pagination: { $ref: '#/components/schemas/Pagination' } }),
    },
    required: ['status', ...(paged ? ['data', 'pagination'] : [])],
  };
}

function errorSchema(): JsonSchema {
  const detail: JsonSchema = {
    type: 'object',
    properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
    required: ['field', 'code', 'message'],
  };
  return {
    type: 'object',
    properties: {
      status: { type: 'string', enum: ['error'] },
      code: { type: 'string', enum: ERROR_CODES },
      message: { type: 'string' },
      errors: { type: 'array', items: detail, description: 'Each field that was refused; with validation_failed only' },
      request_id: { type: 'string' },
    },
    required: ['status', 'code', 'message', 'request_id'],
  };
}

function paginationSchema(): JsonSchema {
  const names = ['total', 'page', 'limit', 'totalPages'];
  const flags = ['hasNextPage', 'hasPreviousPage'];
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...names.map((name) => [name, { type: 'integer' }]),
      ...flags.map((name) => [name, { type: 'boolean' }]),
    ]) as Record<string, JsonSchema>,
    required: names,
  };
}
