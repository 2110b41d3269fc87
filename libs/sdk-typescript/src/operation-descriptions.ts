// What operations.generated.ts says of each method.

/** One method of one resource: `client.payouts.createToBank(…)`. */
export interface OperationDescription {
  resource: string;
  method: string;
  /** As descriptions of other operations name it. */
  operationId: string;
  httpMethod: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, with its parameters in braces. */
  path: string;
  summary: string;
  description?: string;
  /** In the order of the method's arguments. */
  pathParameters: readonly { name: string; description?: string }[];
  /** The name of its query's or its body's type among INPUT_TYPES. */
  params?: { typeName: string; required: boolean; example?: unknown };
  /** A file, sent as a form. */
  file?: { name: string; description?: string };
  /** `list` is a whole list, `page` one page of many. */
  answer: 'nothing' | 'value' | 'list' | 'page';
  takesIdempotencyKey: boolean;
}

export type InputType =
  | { kind: 'text' | 'integer' | 'number' | 'boolean' | 'null' | 'unknown' }
  | { kind: 'literals'; values: readonly string[] }
  | { kind: 'list'; items: InputType }
  | { kind: 'union'; of: readonly InputType[] }
  /** One of INPUT_TYPES. */
  | { kind: 'named'; name: string }
  | { kind: 'object'; fields: readonly InputField[] };

export interface InputField {
  name: string;
  type: InputType;
  required: boolean;
  /** Whether it is an amount: decimal text, never a float. */
  takesAmount?: boolean;
  description?: string;
  example?: unknown;
}
