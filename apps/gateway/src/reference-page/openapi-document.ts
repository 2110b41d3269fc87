import { RequestMethod, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { scopeOf } from '../authentication/caller';
import { inputClassesOf, NoFields } from '../routes/input';
import { JsonSchema } from '@stablecoin/http-answers/json-schema';
import { descriptionOf, RouteDescription } from '../routes/route';
import { EVENTS } from '@stablecoin/merchant-resources/webhooks/event.presenter';
import { classSchema, fieldsOf } from './class-schema';
import { explained, explainedFields } from './glossary';
import { errorSchemas, refusals, refusalsWith, SHARED_HEADERS, successHeaders } from './refusal-responses';
import { TAGS } from './tags.table';
import { webhookDeliveries } from './webhook-deliveries';

/**
 * Makes the OpenAPI 3.1 document from what the server itself runs on: the controllers' routes, the classes that check
 * their input, the schemas that their presenters return, and the error table. There is no second description that could
 * contradict it. docs/openapi.json is this document; every journey is checked against it.
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
  'headers_too_large',
  'internal_error',
  'unavailable',
];

const DESCRIPTION = `Customers, wallets, swaps, payouts and transactions of a merchant.

Every request carries the header \`x-api-key\`, and may carry an \`x-request-id\`. A path that is none of these is answered
with one of the responses \`invalid_api_key\`, \`rate_limited\`, \`uri_too_long\`, \`not_found\` and \`method_not_allowed\` under
components or \`x-refusals\`; a GET also takes HEAD.

The bodies shown work as they are, in this order, with a test key on a service that was just started; only an approval is of
one payout, which another key has created.`;

const INFO = {
  title: 'Stablecoin Account Service',
  version: '1.0.0',
  description: DESCRIPTION,
  contact: { name: 'The operator of this service; quote the request_id of the response' },
  license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
};

/** Where `npm start` listens. */
const LOCAL_API_URL = 'http://127.0.0.1:3000/api';

export function openApiDocument(controllers: readonly Type[], apiUrl = LOCAL_API_URL): object {
  const schemas = new Map<string, JsonSchema>(Object.entries(errorSchemas()));
  const classes = new Set<RequestClass<object>>();
  const refOf = (type: RequestClass<object>): string => {
    if (!classes.has(type)) {
      classes.add(type);
      addSchema(schemas, type.name, classSchema(type, refOf));
    }
    return `#/components/schemas/${type.name}`;
  };
  const paths: Record<string, Record<string, object>> = {};
  const routes = controllers.flatMap(routesOf);
  refuseSharedIds(routes);
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, refOf) };
    for (const [name, schema] of route.description.responds.resources) addSchema(schemas, name, schema);
  }
  for (const [name, schema] of Object.values(EVENTS).flatMap(({ resources }) => [...resources])) {
    addSchema(schemas, name, schema);
  }
  const { referred, others } = refusals(paths);
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: apiUrl, description: 'Where this service answers' }],
    security: [{ apiKey: [] }],
    tags: controllers.map((controller) => tagOf(controller)).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhookDeliveries(),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      parameters: HEADER_PARAMETERS,
      headers: SHARED_HEADERS,
      responses: referred,
      schemas: explainedSchemas(schemas),
    },
    'x-refusals': others,
  };
}

/** A client has one method for each: two of one name would be one. */
function refuseSharedIds(routes: readonly RouteFacts[]): void {
  const ids = routes.map(({ description }) => description.operationId);
  const shared = ids.find((id, index) => ids.indexOf(id) !== index);
  if (shared !== undefined) throw new Error(`two routes have the operationId ${shared}: rename one`);
}

function tagOf(controller: Type): readonly [name: string, says: string] {
  const tag = TAGS[controller.name.replace(/Controller$/, '')];
  if (tag) return tag;
  throw new Error(`${controller.name} has no description: add one to reference-page/tags.table.ts`);
}

function explainedSchemas(schemas: ReadonlyMap<string, JsonSchema>): Record<string, JsonSchema> {
  const names = [...schemas.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, explained(schemas.get(name) as JsonSchema, name)]));
}

function routesOf(controller: Type): RouteFacts[] {
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  return Object.getOwnPropertyNames(controller.prototype).flatMap((key) => {
    const handler = (controller.prototype as Record<string, object>)[key] as object;
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    const path = [base, Reflect.getMetadata(PATH_METADATA, handler) as string]
      .flatMap((part) => part.split('/'))
      .filter(Boolean);
    return {
      controller,
      key,
      method: RequestMethod[method].toLowerCase(),
      path: `/${path.map((part) => (part.startsWith(':') ? `{${part.slice(1)}}` : part)).join('/')}`,
      description: describedOf(controller, key, handler),
    };
  });
}

function describedOf(controller: Type, key: string, handler: object): RouteDescription {
  const description = descriptionOf(handler);
  if (description) return description;
  throw new Error(
    `${controller.name}.${key} is a route without a description: add @Route({ operationId, summary, answer, responds: … }) to it; ` +
      'apps/gateway/src/routes/response-schema.ts says how to declare what it responds',
  );
}

/** @throws Error when two different schemas have one name */
function addSchema(schemas: Map<string, JsonSchema>, name: string, schema: JsonSchema): void {
  const before = schemas.get(name);
  if (before && before !== schema) throw new Error(`two different schemas are named ${name}: rename one`);
  schemas.set(name, schema);
}

function operationOf(route: RouteFacts, refOf: (type: RequestClass<object>) => string): object {
  const { controller, key, method, path, description } = route;
  const { body, query } = inputClassesOf(controller.prototype as object, key);
  const isCommand = method !== 'get';
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => pathParameter(name)),
    ...(query ? explainedFields(query.name, fieldsOf(query, refOf)).map(queryParameter) : []),
    ...(isCommand ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    { $ref: '#/components/parameters/x-request-id' },
  ];
  return {
    operationId: description.operationId,
    summary: description.summary,
    description: [
      ...(description.needs ? [description.needs] : []),
      `Needs a key with the scope \`${scopeOf(method.toUpperCase(), `/api${path}`)}\`.`,
      ...costText(description),
    ].join(' '),
    tags: [tagOf(controller)[0]],
    parameters,
    ...(body && body !== NoFields && { requestBody: requestBody(refOf(body), method !== 'delete', examplesOf(route)) }),
    ...(description.takesFile && { requestBody: FILE_BODY }),
    responses: responsesOf(description, isCommand),
  };
}

const costText = ({ cost = 1 }: RouteDescription): string[] =>
  cost === 1 ? [] : [`Costs ${cost} of the rate limit, where most requests cost 1.`];

const HEADER_PARAMETERS = {
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Makes the request safe to repeat: the same key and body take effect once.',
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      pattern: '^[ -~]{1,255}$',
      examples: ['order-4711-payout'],
    },
  },
  'x-request-id': {
    name: 'x-request-id',
    in: 'header',
    required: false,
    description: 'Comes back in the response; one of another form is replaced by a UUID.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$', examples: ['checkout-7f3a'] },
  },
};

/** Ids in paths are UUIDs; transactions can also be named by this short identifier. */
const SHORT_IDENTIFIER: JsonSchema = { type: 'string', pattern: '^[A-Z0-9]{10}$' };
const PATH_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  transaction_id: SHORT_IDENTIFIER,
  id: { anyOf: [{ type: 'string', format: 'uuid' }, SHORT_IDENTIFIER] },
};

function pathParameter(name: string): object {
  const schema = PATH_SCHEMAS[name] ?? { type: 'string', format: 'uuid' };
  const [field] = explainedFields('path', [{ name, schema, required: true }]);
  const { description, ...rest } = field?.schema ?? {};
  return { name, in: 'path', required: true, description, schema: rest };
}

/** A query can't say null. */
function queryParameter({ name, schema, required }: { name: string; schema: JsonSchema; required: boolean }): object {
  const { type, enum: values, anyOf, description, ...rest } = schema;
  const [only] = [type ?? []].flat();
  const alternatives = anyOf?.filter((alternative) => alternative.type !== 'null');
  return {
    name,
    in: 'query',
    required,
    description,
    schema: {
      ...rest,
      ...(only && { type: only }),
      ...(values && { enum: values.filter((value) => value !== null) }),
      ...(alternatives && { anyOf: alternatives }),
    },
  };
}

/** As OpenAPI 3.1 writes a file in a form. */
const FILE_BODY = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: {
          file: {
            type: 'string',
            contentMediaType: 'application/octet-stream',
            description: 'A PNG, JPEG or PDF of at most 5 MiB; its first bytes decide which. The only field.',
          },
        },
        required: ['file'],
        additionalProperties: false,
      },
      examples: { 'A PDF': { value: { file: '%PDF-1.4\n%%EOF\n' } } },
      encoding: { file: { contentType: 'image/png, image/jpeg, application/pdf' } },
    },
  },
};

function requestBody($ref: string, required: boolean, examples: object): object {
  return { required, content: { 'application/json': { schema: { $ref }, examples } } };
}

function examplesOf({ controller, key, description: { bodies } }: RouteFacts): object {
  if (!bodies) throw new Error(`${controller.name}.${key} takes a body: show one that works, with @Route({ bodies })`);
  return Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { value }]));
}

function responsesOf({ answer, responds, status = 200, errors = [] }: RouteDescription, isCommand: boolean): object {
  const codes = new Set([...EVERY_ROUTE_ERRORS, ...(isCommand ? COMMAND_ERRORS : []), ...errors]);
  const content = { 'application/json': { schema: explained(responds.schema, 'envelope') } };
  return {
    [status]: { description: answer, headers: successHeaders(isCommand), content },
    ...refusalsWith(codes),
  };
}
