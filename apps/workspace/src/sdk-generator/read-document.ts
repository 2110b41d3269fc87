// docs/openapi.json as the SDKs see it. Whatever of the document has no place in the model stops the generator: an operation
// without a name, a body of another media type, a success of another form.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { camelCase, pascalCase } from './identifiers';
import { METHOD_NAMES } from './method-names';
import {
  OpenApiDocument,
  OpenApiResponse,
  Operation,
  Parameter,
  referenceName,
  resolved,
  Schema,
} from './openapi-document';
import {
  SdkAnswer,
  SdkBody,
  SdkError,
  SdkEvent,
  SdkMethod,
  SdkModel,
  SdkPathParameter,
  SdkQuery,
  SdkResource,
  SdkType,
  TypeNode,
} from './sdk-model';
import { typeNameOf } from './type-names';
import { TypeReader } from './type-reader';

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** From the committed document. */
export function sdkModel(): SdkModel {
  return modelOf(JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as OpenApiDocument);
}

export function modelOf(document: OpenApiDocument): SdkModel {
  const reader = new DocumentReader(document);
  return {
    version: document.info.version,
    resources: reader.resources(),
    types: reader.types(),
    errors: errorsOf(document),
    events: eventsOf(document),
  };
}

/** An operation with its route. */
interface Routed {
  httpMethod: SdkMethod['httpMethod'];
  path: string;
  operation: Operation;
}

class DocumentReader {
  private readonly typeReader: TypeReader;
  private readonly operations: ReadonlyMap<string, Routed>;

  constructor(private readonly document: OpenApiDocument) {
    this.typeReader = new TypeReader(document.components.schemas);
    this.operations = operationsOf(document);
    assertSameNames([...this.operations.keys()], Object.keys(METHOD_NAMES));
  }

  /** In the order of method-names.ts. */
  resources(): SdkResource[] {
    const methods = new Map<string, SdkMethod[]>();
    for (const [operationId, routed] of this.inOrder()) {
      const [resource = '', name = ''] = (METHOD_NAMES[operationId]?.name ?? '').split('.');
      methods.set(resource, [...(methods.get(resource) ?? []), this.method(name, routed)]);
    }
    return [...methods].map(([name, ofResource]) => ({ name, methods: ofResource }));
  }

  types(): SdkType[] {
    const queries = this.inOrder().flatMap(([, routed]) => this.queryType(routed));
    return [...this.typeReader.namedTypes(), ...queries].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  private inOrder(): [string, Routed][] {
    return Object.keys(METHOD_NAMES).flatMap((operationId): [string, Routed][] => {
      const routed = this.operations.get(operationId);
      return routed === undefined ? [] : [[operationId, routed]];
    });
  }

  private method(name: string, routed: Routed): SdkMethod {
    const { httpMethod, path, operation } = routed;
    const { operationId, summary, description } = operation;
    return {
      name,
      operationId,
      httpMethod,
      path,
      summary,
      description,
      pathParameters: this.pathParameters(routed),
      query: this.query(routed),
      body: bodyOf(operation),
      answer: this.answer(operation),
      takesIdempotencyKey: this.parameters(operation).some((parameter) => parameter.name === IDEMPOTENCY_KEY),
      errorCodes: this.errorCodes(operation),
    };
  }

  private parameters({ parameters = [] }: Operation): Parameter[] {
    return parameters.map((parameter) => resolved(parameter, this.document.components.parameters));
  }

  /** In the order of the path. */
  private pathParameters({ path, operation }: Routed): SdkPathParameter[] {
    const parameters = this.parameters(operation).filter((parameter) => parameter.in === 'path');
    return [...path.matchAll(/\{(\w+)\}/g)].map(([, wireName = '']) => {
      const description = parameters.find((parameter) => parameter.name === wireName)?.description;
      return { name: argumentName(wireName, path), wireName, description };
    });
  }

  private query({ operation }: Routed): SdkQuery | undefined {
    const parameters = this.queryParameters(operation);
    if (parameters.length === 0) return undefined;
    const typeName = METHOD_NAMES[operation.operationId]?.query;
    if (typeName === undefined) throw new Error(`method-names.ts: ${operation.operationId} has no name for its query`);
    return { typeName, required: parameters.some(({ required }) => required === true) };
  }

  private queryType(routed: Routed): SdkType[] {
    const query = this.query(routed);
    if (query === undefined) return [];
    const fields = this.queryParameters(routed.operation).map(({ name, required = false, description, schema }) =>
      this.typeReader.field(name, { ...schema, description }, required),
    );
    return [{ name: query.typeName, type: { kind: 'object', fields } }];
  }

  private queryParameters(operation: Operation): Parameter[] {
    return this.parameters(operation).filter((parameter) => parameter.in === 'query');
  }

  private answer(operation: Operation): SdkAnswer {
    const { data, pagination } = successOf(operation, this.document).properties ?? {};
    if (data === undefined) return { kind: 'nothing' };
    const { data: inner, status } = data.properties ?? {};
    if (inner !== undefined && status?.const === 'success') {
      return { kind: 'value', type: this.typeReader.read(inner), path: ['data', 'data'] };
    }
    if (pagination !== undefined) return { kind: 'page', item: this.typeReader.read(data.items ?? {}) };
    return { kind: 'value', ...this.realAndDryRun(data), path: ['data'] };
  }

  /** A choice of two, of which one says `dry_run`, goes by what was asked for. */
  private realAndDryRun(data: Schema): { type: TypeNode; dryRunType?: TypeNode } {
    const isDryRun = ({ $ref = '' }: Schema) =>
      this.document.components.schemas[referenceName($ref)]?.properties?.['dry_run'] !== undefined;
    const { oneOf = [] } = data;
    const [dryRun] = oneOf.filter(isDryRun);
    const [real] = oneOf.filter((each) => !isDryRun(each));
    if (oneOf.length !== 2 || dryRun === undefined || real === undefined) return { type: this.typeReader.read(data) };
    return { type: this.typeReader.read(real), dryRunType: this.typeReader.read(dryRun) };
  }

  private errorCodes({ responses }: Operation): string[] {
    return Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .flatMap(([, response]) => this.codesIn(resolved(response, this.document.components.responses)));
  }

  private codesIn(response: OpenApiResponse): readonly string[] {
    const { schema = {} } = response.content?.['application/json'] ?? {};
    return (schema.oneOf ?? [schema]).flatMap((each) => {
      const whole = each.$ref === undefined ? each : this.document.components.schemas[referenceName(each.$ref)];
      const { const: only, enum: some = [] } = whole?.properties?.['code'] ?? {};
      return typeof only === 'string' ? [only] : some.filter((code) => code !== null);
    });
  }
}

function operationsOf({ paths }: OpenApiDocument): Map<string, Routed> {
  return new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [
        operation.operationId,
        { httpMethod: method.toUpperCase() as Routed['httpMethod'], path, operation },
      ]),
    ),
  );
}

function assertSameNames(inDocument: readonly string[], named: readonly string[]): void {
  const nameless = inDocument.filter((operationId) => !named.includes(operationId));
  const gone = named.filter((operationId) => !inDocument.includes(operationId));
  if (nameless.length > 0) throw new Error(`method-names.ts has no name for ${nameless.join(', ')}`);
  if (gone.length > 0) throw new Error(`method-names.ts names ${gone.join(', ')}, which the document lacks`);
}

/** `{id}` alone says nothing in a list of arguments: it is named after what comes before it, `payoutId` in `/payouts/{id}`. */
function argumentName(wireName: string, path: string): string {
  if (wireName !== 'id') return camelCase(wireName);
  const collection = /([\w-]+)s\/\{id\}/.exec(path)?.[1] ?? '';
  return camelCase(`${collection} id`);
}

function bodyOf({ operationId, requestBody }: Operation): SdkBody | undefined {
  if (requestBody === undefined) return undefined;
  const { required = false, content } = requestBody;
  const form = content['multipart/form-data'];
  if (form !== undefined) return formOf(operationId, form.schema);
  const json = content['application/json'];
  if (json?.schema.$ref === undefined) throw new Error(`${operationId} takes no named JSON body`);
  const example = Object.values(json.examples ?? {})[0]?.value;
  return { mediaType: 'application/json', typeName: typeNameOf(referenceName(json.schema.$ref)), required, example };
}

function formOf(operationId: string, { properties = {} }: Schema): SdkBody {
  const [only, ...others] = Object.entries(properties);
  if (only === undefined || others.length > 0) throw new Error(`${operationId} takes a form of other than one field`);
  return { mediaType: 'multipart/form-data', field: only[0], description: only[1].description };
}

function successOf({ operationId, responses }: Operation, { components }: OpenApiDocument): Schema {
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
  const [only] = successes;
  if (only === undefined || successes.length > 1) throw new Error(`${operationId} does not have exactly one success`);
  return resolved(only[1], components.responses).content?.['application/json']?.schema ?? {};
}

function errorsOf({ components, 'x-refusals': refusals }: OpenApiDocument): SdkError[] {
  return Object.entries({ ...components.responses, ...refusals })
    .map(([code, { 'x-status': status, description }]) => {
      if (status === undefined) throw new Error(`The document does not say which status ${code} has`);
      return { code, status, className: errorClassName(code), message: description.replace(/^`\w+`: /, '') };
    })
    .sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1));
}

/** `insufficient_funds` is an InsufficientFundsError, `internal_error` an InternalError. */
const errorClassName = (code: string): string => `${pascalCase(code).replace(/Error$/, '')}Error`;

function eventsOf({ webhooks }: OpenApiDocument): SdkEvent[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const $ref = post.requestBody?.content['application/json']?.schema.$ref;
    if ($ref === undefined) throw new Error(`The event ${type} has no named schema`);
    return { type, summary: post.summary, typeName: typeNameOf(referenceName($ref)) };
  });
}
