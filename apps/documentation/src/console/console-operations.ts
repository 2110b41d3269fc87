import type { Operation, Parameter } from '../interface/operations';
import type { ConsoleOperation, ConsoleParameter } from './console-operation';

/** What the console needs of the operations: a small part of the document, which the browser loads with it. */
export const consoleOperationsOf = (operations: readonly Operation[]): ConsoleOperation[] =>
  operations.map(({ operationId, method, path, parameters, body, success }) => ({
    operationId,
    method,
    path,
    parameters: parameters.map(consoleParameterOf),
    bodies: body?.examples ?? [],
    takesFile: body?.isForm ?? false,
    successStatus: success.status,
  }));

function consoleParameterOf({ name, in: place, required, schema }: Parameter): ConsoleParameter {
  const { enum: options = [], examples = [], default: standard } = schema;
  return {
    name,
    in: place,
    required,
    options: options.map(String),
    example: place === 'query' ? textOf(standard ?? examples[0]) : '',
  };
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
