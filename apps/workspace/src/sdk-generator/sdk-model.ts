// What every SDK is made of, whatever its language: read from docs/openapi.json by read-document.ts, written down by one emitter
// per language (typescript-sdk.ts, python-sdk.ts). Names are here as the wire has them, or in camelCase and PascalCase where we
// chose them; an emitter turns them into its language's own form.

/** What one language's emitter writes: files of the checkout, by their path, each made of the model. */
export type SdkEmitter = Readonly<Record<string, (model: SdkModel) => string>>;

export interface SdkModel {
  /** Of the interface. */
  version: string;
  resources: readonly SdkResource[];
  /** Every named type, in the order of their names. */
  types: readonly SdkType[];
  /** The closed list of codes that an answer can end with. */
  errors: readonly SdkError[];
  /** What is sent to webhooks. */
  events: readonly SdkEvent[];
}

/** `client.payouts` */
export interface SdkResource {
  name: string;
  methods: readonly SdkMethod[];
}

/** `client.payouts.createToBank(…)`: one operation of the document. */
export interface SdkMethod {
  name: string;
  operationId: string;
  httpMethod: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, with its parameters in braces. */
  path: string;
  summary: string;
  description?: string;
  /** Arguments by their place. */
  pathParameters: readonly SdkPathParameter[];
  /** What one argument with all query parameters is; without any, absent. */
  query?: SdkQuery;
  body?: SdkBody;
  answer: SdkAnswer;
  takesIdempotencyKey: boolean;
  /** The codes that it can end with. */
  errorCodes: readonly string[];
}

export interface SdkPathParameter {
  /** The argument's name, camelCase: `walletId`. */
  name: string;
  /** As the path has it: `wallet_id`. */
  wireName: string;
  description?: string;
}

export interface SdkQuery {
  /** The name of its type among `types`. */
  typeName: string;
  /** Whether one of them must be given. */
  required: boolean;
}

export type SdkBody =
  | { mediaType: 'application/json'; typeName: string; required: boolean; example?: unknown }
  /** One file, as the only field of a form. */
  | { mediaType: 'multipart/form-data'; field: string; description?: string };

export type SdkAnswer =
  /** A success says nothing more. */
  | { kind: 'nothing' }
  /**
   * `path` leads from the body to what is handed back: `['data']`, or `['data', 'data']` where an envelope is in an envelope.
   * `dryRunType` is what comes in place of `type` when the body's `dry_run` is true.
   */
  | { kind: 'value'; type: TypeNode; path: readonly string[]; dryRunType?: TypeNode }
  /** A list in pages: `data` beside `pagination`, asked for by `page` and `limit`. */
  | { kind: 'page'; item: TypeNode };

export interface SdkType {
  name: string;
  description?: string;
  type: TypeNode;
}

export interface SdkError {
  code: string;
  status: number;
  /** PascalCase, ends in Error: `InsufficientFundsError`. */
  className: string;
  /** What it means and what to do about it, for people. */
  message: string;
}

export interface SdkEvent {
  /** `payout.completed` */
  type: string;
  summary: string;
  /** The name of the event's type among `types`. */
  typeName: string;
}

export type TypeNode =
  | { kind: 'text' }
  | { kind: 'integer' }
  | { kind: 'number' }
  | { kind: 'boolean' }
  | { kind: 'null' }
  | { kind: 'constant'; value: boolean }
  /** Anything. */
  | { kind: 'unknown' }
  | { kind: 'literals'; values: readonly string[] }
  | { kind: 'list'; items: TypeNode }
  | { kind: 'union'; of: readonly TypeNode[] }
  /** One of `types`. */
  | { kind: 'named'; name: string }
  | { kind: 'object'; fields: readonly SdkField[] };

export interface SdkField {
  name: string;
  type: TypeNode;
  required: boolean;
  /** Exact decimal text is sent under this name: a language may take its own exact numbers. */
  takesAmount?: true;
  description?: string;
  example?: unknown;
}
