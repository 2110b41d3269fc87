/** What the console in a reader's browser knows of an operation. */
export interface ConsoleOperation {
  operationId: string;
  method: string;
  /** Such as `/wallets/{wallet_id}`. */
  path: string;
  parameters: readonly ConsoleParameter[];
  /** Whole bodies that work as they are, by what they show; none for an operation that takes no body. */
  bodies: readonly { name: string; value: unknown }[];
  /** The one body is a form with one file. */
  takesFile: boolean;
  successStatus: number;
}

export interface ConsoleParameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  /** The only values that it takes. */
  options: readonly string[];
  example: string;
}

/** What a reader has filled in. */
export interface Filled {
  /** Values of path and query parameters, by name; empty texts count as left out. */
  parameters: Readonly<Record<string, string>>;
  /** The text of the body. */
  body: string;
  idempotencyKey: string;
}

/** Every other method changes something, and so takes an Idempotency-Key. */
export const isCommand = ({ method }: Pick<ConsoleOperation, 'method'>): boolean => method !== 'GET';

/** Whether it takes a body of JSON. */
export const takesJson = ({ bodies, takesFile }: ConsoleOperation): boolean => bodies.length > 0 && !takesFile;

export const parametersIn = (operation: ConsoleOperation, place: 'path' | 'query'): readonly ConsoleParameter[] =>
  operation.parameters.filter((parameter) => parameter.in === place);

/** Below the API's root: the path with its ids, and the query. An id that is not there yet stands as its name. */
export function targetOf(operation: ConsoleOperation, { parameters }: Pick<Filled, 'parameters'>): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(parameters[name] || placeholderOf(name)),
  );
  const query = new URLSearchParams(queryOf(operation, parameters)).toString();
  return query === '' ? path : `${path}?${query}`;
}

export const queryOf = (operation: ConsoleOperation, parameters: Filled['parameters']): [string, string][] =>
  parametersIn(operation, 'query').flatMap(({ name, required }) => {
    const value = parameters[name] || (required ? placeholderOf(name) : '');
    return value === '' ? [] : [[name, value]];
  });

/** `CUSTOMER_ID` for customerId as for customer_id. */
export const placeholderOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

/** The required parameters that have no value yet. */
export const missingOf = (operation: ConsoleOperation, parameters: Filled['parameters']): string[] =>
  operation.parameters.filter(({ name, required }) => required && !parameters[name]).map(({ name }) => name);
