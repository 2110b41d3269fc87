/** What the generator reads of docs/openapi.json, as far as our own document uses OpenAPI 3.1. */
export interface OpenApiDocument {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    parameters: Record<string, Parameter>;
    responses: Record<string, OpenApiResponse>;
    schemas: Record<string, Schema>;
  };
  /** The refusals that are no component, each as a whole response. */
  'x-refusals': Record<string, OpenApiResponse>;
}

export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: {
    required?: boolean;
    content: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
  };
  responses: Record<string, OpenApiResponse | Reference>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface OpenApiResponse {
  description: string;
  content?: Record<string, { schema: Schema }>;
  'x-status'?: number;
}

export interface Reference {
  $ref: string;
}

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: string | true;
  enum?: readonly (string | null)[];
  pattern?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  description?: string;
  examples?: readonly unknown[];
}

/** The last part of a reference: `#/components/schemas/Wallet` names `Wallet`. */
export const referenceName = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** What stands there, or what it refers to among `components`. */
export function resolved<Value extends object>(given: Value | Reference, components: Record<string, Value>): Value {
  if (!('$ref' in given)) return given;
  const found = components[referenceName(given.$ref)];
  if (found === undefined) throw new Error(`${given.$ref} is not in the document`);
  return found;
}
