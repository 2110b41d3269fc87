import { readFileSync } from 'node:fs';

/** The interface document (docs/openapi.json), as far as the pages read it. */
export interface InterfaceDocument {
  servers: readonly { url: string }[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  webhooks: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  components: {
    schemas: Readonly<Record<string, Schema>>;
    parameters: Readonly<Record<string, RawParameter>>;
    responses: Readonly<Record<string, RawResponse>>;
  };
  'x-refusals': Readonly<Record<string, RawResponse>>;
}

export interface RawOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  parameters: readonly (RawParameter | { $ref: string })[];
  requestBody?: { required: boolean; content: Readonly<Record<string, RawContent>> };
  responses: Readonly<Record<string, RawResponse | { $ref: string }>>;
}

export interface RawParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface RawContent {
  schema: Schema;
  examples?: Readonly<Record<string, { value: unknown }>>;
}

export interface RawResponse {
  description: string;
  content?: Readonly<Record<string, RawContent>>;
  'x-status'?: number;
}

/** JSON Schema, as far as the document uses it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  examples?: readonly unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
}

export const readInterfaceDocument = (file: string): InterfaceDocument =>
  JSON.parse(readFileSync(file, 'utf8')) as InterfaceDocument;

/** The last part of a reference: the name of what it refers to. */
export const nameOf = (reference: string): string => reference.split('/').at(-1) ?? reference;

/** What a reference into `part` refers to, or the thing itself. */
export function followed<Thing extends object>(thing: Thing | { $ref: string }, part: Readonly<Record<string, Thing>>) {
  if (!('$ref' in thing)) return thing;
  const found = part[nameOf(thing.$ref)];
  if (found === undefined) throw new Error(`the interface document has no ${thing.$ref}`);
  return found;
}
