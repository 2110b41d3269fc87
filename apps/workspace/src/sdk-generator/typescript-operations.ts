// The interface as data, which libs/sdk-typescript hands to programs that are made of it: its methods, and the types of what they
// take. Types of answers are left out: a call by a description gives what the service answered.

import { GENERATED_HEAD } from './typescript-comments';
import { namesIn } from './typescript-types';
import { SdkEmitter, SdkMethod, SdkModel, SdkType } from './sdk-model';

/** A longer one is a customer with documents in it: no example for a line of a help. */
const EXAMPLE_LENGTH_MAX = 800;

export const typescriptOperations: SdkEmitter = {
  'libs/sdk-typescript/src/operations.generated.ts': operationsFile,
};

function operationsFile(model: SdkModel): string {
  const operations = model.resources.flatMap(({ name, methods }) => methods.map((method) => described(name, method)));
  const roots = operations.flatMap(({ params }) => params?.typeName ?? []);
  const types = withAllThatTheyName(roots, new Map(model.types.map((type) => [type.name, type])));
  const typesByName = Object.fromEntries(types.map(({ name, type }) => [name, type]));
  return `${GENERATED_HEAD}
import type { InputType, OperationDescription } from './operation-descriptions';

/** Every method of every resource. */
export const OPERATIONS: readonly OperationDescription[] = ${JSON.stringify(operations)};

/** What the methods take. */
export const INPUT_TYPES: Readonly<Record<string, InputType>> = ${JSON.stringify(typesByName)};
`;
}

function described(resource: string, method: SdkMethod) {
  const { name, operationId, httpMethod, path, summary, description, pathParameters, answer, takesIdempotencyKey } =
    method;
  return {
    ...{ resource, method: name, operationId, httpMethod, path, summary, description },
    pathParameters: pathParameters.map((parameter) => ({ name: parameter.name, description: parameter.description })),
    params: paramsOf(method),
    file: fileOf(method),
    answer: answer.kind === 'value' && answer.type.kind === 'list' ? 'list' : answer.kind,
    takesIdempotencyKey,
  };
}

function paramsOf({ body, query }: SdkMethod) {
  if (query !== undefined) return query;
  if (body?.mediaType !== 'application/json') return undefined;
  const { typeName, required, example } = body;
  const isShort = example !== undefined && JSON.stringify(example).length <= EXAMPLE_LENGTH_MAX;
  return { typeName, required, example: isShort ? example : undefined };
}

function fileOf({ body }: SdkMethod) {
  return body?.mediaType === 'multipart/form-data' ? { name: body.field, description: body.description } : undefined;
}

/** The named types and every type that one of them names, in the order of their names. */
function withAllThatTheyName(roots: readonly string[], all: ReadonlyMap<string, SdkType>): SdkType[] {
  const found = new Map<string, SdkType>();
  const left = [...roots];
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    const type = all.get(name);
    if (type === undefined) throw new Error(`There is no type ${name}`);
    if (found.has(name)) continue;
    found.set(name, type);
    left.push(...namesIn(type.type));
  }
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
