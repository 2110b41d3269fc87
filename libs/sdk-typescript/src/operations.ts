// The interface as data, for programs that are made of it, such as a command line: what each method of the resources takes, and a
// call by such a description. A program that knows which method it wants calls the method.

import type { Call } from './call';
import type { WriteOptions } from './operation';
import type { OperationDescription } from './operation-descriptions';
import type { FileContent } from './request-body';
import type { Resources } from './resources.generated';

export type { InputField, InputType, OperationDescription } from './operation-descriptions';
export { INPUT_TYPES, OPERATIONS } from './operations.generated';

export interface OperationInput {
  /** By the names of the description. */
  pathParameters?: Readonly<Record<string, string>>;
  /** The query or the body. */
  params?: object;
  file?: FileContent;
}

/**
 * Calls a method by its description, as the method would be called.
 *
 * @throws TypeError when the client has no such method, or a parameter of the path names nothing
 */
export function callOperation(
  client: Resources,
  operation: OperationDescription,
  { pathParameters = {}, params, file }: OperationInput,
  options?: WriteOptions,
): Call<unknown> {
  const resources = client as unknown as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  const method = resources[operation.resource]?.[operation.method];
  if (typeof method !== 'function') throw new TypeError(`There is no ${operation.resource}.${operation.method}.`);
  const given = [
    ...operation.pathParameters.map(({ name }) => pathParameters[name]),
    ...(operation.file === undefined ? [] : [file]),
    ...(operation.params === undefined ? [] : [params ?? {}]),
  ];
  return method.call(resources[operation.resource], ...given, options) as Call<unknown>;
}
