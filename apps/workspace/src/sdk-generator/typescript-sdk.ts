// The generated parts of libs/sdk-typescript: types, resource classes, error classes. What isn't a table of the interface is
// written by hand there.

import { docComment, GENERATED_HEAD, sentence } from './typescript-comments';
import { pascalCase } from './identifiers';
import { SdkBody, SdkEmitter, SdkError, SdkMethod, SdkModel, SdkResource } from './sdk-model';
import { hasDryRun, namesIn, typesFile, typeText } from './typescript-types';

const FOLDER = 'libs/sdk-typescript/src';
const EXAMPLE_LENGTH_MAX = 400;

export const typescriptSdk: SdkEmitter = {
  [`${FOLDER}/types.generated.ts`]: typesFile,
  [`${FOLDER}/resources.generated.ts`]: resourcesFile,
  [`${FOLDER}/errors.generated.ts`]: errorsFile,
};

function resourcesFile(model: SdkModel): string {
  const errors = new ErrorsOfMethods(model);
  const classes = model.resources.map((resource) => resourceClass(resource, errors));
  const used = model.resources.flatMap(({ methods }) => methods.flatMap(typeNamesOf));
  return `${GENERATED_HEAD}
import type { Call } from './call';
import type { RequestOptions, WriteOptions } from './operation';
import type { PageCall } from './pages';
import type { FileContent } from './request-body';
import type { Transport } from './transport';
import type { ${[...new Set(used)].sort().join(', ')} } from './types.generated';

${classes.join('\n')}
${allResources(model.resources)}`;
}

const className = ({ name }: SdkResource): string => `${pascalCase(name)}Resource`;

function resourceClass(resource: SdkResource, errors: ErrorsOfMethods): string {
  const methods = resource.methods.map((method) => methodText(resource, method, errors));
  return `export class ${className(resource)} {
  constructor(private readonly transport: Transport) {}

${methods.join('\n')}}
`;
}

/** What a client has of the interface. */
function allResources(resources: readonly SdkResource[]): string {
  const fields = resources.map((resource) => `readonly ${resource.name}: ${className(resource)};`);
  const made = resources.map((resource) => `this.${resource.name} = new ${className(resource)}(transport);`);
  return `${docComment(['Every resource of the interface.'])}export class Resources {
${fields.join('\n')}

  constructor(transport: Transport) {
    ${made.join('\n')}
  }
}
`;
}

function methodText(resource: SdkResource, method: SdkMethod, errors: ErrorsOfMethods): string {
  const { answer, takesIdempotencyKey } = method;
  const options = takesIdempotencyKey ? 'WriteOptions' : 'RequestOptions';
  const parameters = [...argumentsOf(method), `options?: ${options}`].join(', ');
  const comment = methodComment(resource, method, errors);
  const [send, result] = {
    nothing: () => ['nothing', 'Call<void>'],
    value: () => {
      if (answer.kind !== 'value') return [];
      const data = [answer.type, ...(answer.dryRunType ? [answer.dryRunType] : [])].map(typeText).join(' | ');
      return [`${answer.path.length === 1 ? 'value' : 'innerValue'}<${data}>`, `Call<${data}>`];
    },
    page: () =>
      answer.kind === 'page' ? [`page<${typeText(answer.item)}>`, `PageCall<${typeText(answer.item)}>`] : [],
  }[answer.kind]();
  const any = hasDryRun(method)
    ? parameters.replace(paramsOf(method.body), `${paramsOf(method.body)} | (${dryRunOf(method.body)})`)
    : parameters;
  return `${overloads(method, parameters, comment)}${method.name}(${any}): ${result} {
    return this.transport.${send}({ ${operationText(method)} }, options);
  }
`;
}

/** Its comment; and where a dry run has another answer, a signature for that and one for the real call. */
function overloads({ name, answer, body }: SdkMethod, parameters: string, comment: string): string {
  if (answer.kind !== 'value' || answer.dryRunType === undefined) return comment;
  const [real, dryRun] = [answer.type, answer.dryRunType].map(typeText);
  const dryRunParameters = parameters.replace(paramsOf(body), `params: ${dryRunOf(body)}`);
  const dryRunComment = docComment([`What \`${name}\` would answer now, or its refusal; nothing is written.`]);
  return `${comment}${name}(${parameters}): Call<${real}>;
${dryRunComment}${name}(${dryRunParameters}): Call<${dryRun}>;
`;
}

const paramsOf = (body: SdkBody | undefined): string => `params: ${bodyType(body)}`;
const dryRunOf = (body: SdkBody | undefined): string => `Omit<${bodyType(body)}, 'dry_run'> & { dry_run: true }`;
const bodyType = (body: SdkBody | undefined): string => (body?.mediaType === 'application/json' ? body.typeName : '');

function argumentsOf({ pathParameters, query, body }: SdkMethod): string[] {
  return [
    ...pathParameters.map(({ name }) => `${name}: string`),
    ...(body?.mediaType === 'multipart/form-data' ? [`${body.field}: FileContent`] : []),
    ...(body?.mediaType === 'application/json' ? [`params: ${body.typeName}${body.required ? '' : ' = {}'}`] : []),
    ...(query === undefined ? [] : [`params: ${query.typeName}${query.required ? '' : ' = {}'}`]),
  ];
}

function operationText({ httpMethod, path, pathParameters, query, body, takesIdempotencyKey }: SdkMethod): string {
  const values = pathParameters.map(({ name, wireName }) => (name === wireName ? name : `${wireName}: ${name}`));
  return [
    `method: '${httpMethod}'`,
    `path: '${path}'`,
    ...(values.length > 0 ? [`pathParameters: { ${values.join(', ')} }`] : []),
    ...(query === undefined ? [] : ['query: params']),
    ...(body?.mediaType === 'application/json' ? ['body: params'] : []),
    ...(body?.mediaType === 'multipart/form-data' ? [`file: { field: '${body.field}', content: ${body.field} }`] : []),
    ...(takesIdempotencyKey ? ['takesIdempotencyKey: true'] : []),
  ].join(', ');
}

function methodComment(resource: SdkResource, method: SdkMethod, errors: ErrorsOfMethods): string {
  const { summary, description, pathParameters, body } = method;
  return docComment([
    sentence(summary),
    ...(description === undefined ? [] : ['', ...description.split('\n')]),
    '',
    `\`${method.httpMethod} ${method.path}\``,
    ...exampleOf(resource, method),
    ...pathParameters.flatMap(({ name, description: said }) => (said === undefined ? [] : [`@param ${name} ${said}`])),
    ...(body?.mediaType === 'multipart/form-data' ? [`@param ${body.field} ${body.description ?? ''}`] : []),
    ...errors.ofMethod(method).map(({ className: name, message }) => `@throws {${name}} ${message}`),
  ]);
}

function exampleOf({ name }: SdkResource, { name: method, pathParameters, body }: SdkMethod): string[] {
  if (body?.mediaType !== 'application/json' || body.example === undefined) return [];
  const example = JSON.stringify(body.example);
  if (example.length > EXAMPLE_LENGTH_MAX) return [];
  const given = [...pathParameters.map((parameter) => parameter.name), example].join(', ');
  return ['', '@example', '```ts', `await client.${name}.${method}(${given});`, '```'];
}

function typeNamesOf({ query, body, answer }: SdkMethod): string[] {
  return [
    ...(query === undefined ? [] : [query.typeName]),
    ...(body?.mediaType === 'application/json' ? [body.typeName] : []),
    ...(answer.kind === 'page' ? namesIn(answer.item) : []),
    ...(answer.kind === 'value' ? namesIn(answer.type) : []),
    ...(answer.kind === 'value' && answer.dryRunType ? namesIn(answer.dryRunType) : []),
  ];
}

/** What a method may be refused with, less what every method may be. */
class ErrorsOfMethods {
  private readonly everywhere: ReadonlySet<string>;
  private readonly errors: ReadonlyMap<string, SdkError>;

  constructor({ resources, errors }: SdkModel) {
    const methods = resources.flatMap((resource) => resource.methods);
    const isEverywhere = (code: string) => methods.every(({ errorCodes }) => errorCodes.includes(code));
    // Of a body of any kind: what a caller of this package can't bring about, or what says itself.
    const ofBodies = ['malformed_json', 'unsupported_media_type', 'payload_too_large'];
    const ofKeys = ['idempotency_in_flight', 'idempotency_key_reused'];
    const general = errors.map(({ code }) => code).filter(isEverywhere);
    this.everywhere = new Set([...general, ...ofBodies, ...ofKeys]);
    this.errors = new Map(errors.map((error) => [error.code, error]));
  }

  ofMethod({ errorCodes }: SdkMethod): SdkError[] {
    return errorCodes.filter((code) => !this.everywhere.has(code)).flatMap((code) => this.errors.get(code) ?? []);
  }
}

function errorsFile({ errors }: SdkModel): string {
  const rows = errors.map(({ code, className: name }) => `${code}: ${name},`);
  return `${GENERATED_HEAD}
import { CallFacts, Refusal, StablecoinApiError } from './errors';

${errors.map(errorClass).join('\n')}
const ERROR_CLASSES = {
  ${rows.join('\n')}
};

/** Every code that an answer can end with; a later version of the service may have more. */
export type ErrorCode = keyof typeof ERROR_CLASSES;

/** The error of a code; of one that is newer than this package, the class of them all. */
export function apiErrorOf(refusal: Refusal, facts: CallFacts): StablecoinApiError {
  const isKnown = Object.hasOwn(ERROR_CLASSES, refusal.code);
  const ErrorClass = isKnown ? ERROR_CLASSES[refusal.code as ErrorCode] : StablecoinApiError;
  return new ErrorClass(refusal, facts);
}
`;
}

function errorClass({ code, status, className: name, message }: SdkError): string {
  return `${docComment([`${status} \`${code}\`: ${message}`])}export class ${name} extends StablecoinApiError {
  override readonly name = '${name}';
  declare readonly code: '${code}';
}
`;
}
