import { testStack } from '@stablecoin/testing/stack';
import type { Section } from './sections';

/** A JSON schema, as far as finding ids in it needs. */
interface Schema {
  $ref?: string;
  format?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Parameter {
  $ref?: string;
  in: string;
  name: string;
  schema: Schema;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { $ref?: string; content: Record<string, { schema: Schema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

/** One route of the running gateway: `POST /wallets`, and where a request to it can name something. */
export interface DocumentedRoute {
  route: Section;
  /** Such as `path wallet_id`, `query customer_id`, `body quote_id`. */
  ids: string[];
}

/** Query parameters that find by an id without being one. */
const SEARCHES = ['search', 'transaction_id'];
const MAX_DEPTH = 8;

/** The routes of the gateway that runs, as its own document lists them. */
export async function documentedRoutes(): Promise<DocumentedRoute[]> {
  const response = await fetch(new URL('/openapi.json', testStack().base_url));
  const document = (await response.json()) as Document;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}` as Section,
      ids: [...parameterIds(document, operation), ...bodyIds(document, operation)],
    })),
  );
}

function parameterIds(document: Document, { parameters = [] }: Operation): string[] {
  return parameters
    .map((parameter) => resolved(document, parameter))
    .filter(({ in: place, name, schema }) => place === 'path' || (place === 'query' && isId(name, schema)))
    .map(({ in: place, name }) => `${place} ${name}`);
}

const isId = (name: string, { format }: Schema) => format === 'uuid' || SEARCHES.includes(name);

function bodyIds(document: Document, { requestBody }: Operation): string[] {
  if (!requestBody) return [];
  const { schema } = resolved(document, requestBody).content['application/json'] ?? { schema: {} };
  return idsIn(document, schema, []).map((field) => `body ${field}`);
}

function idsIn(document: Document, schema: Schema, path: string[]): string[] {
  if (path.length > MAX_DEPTH) return [];
  const { format, properties = {}, items, anyOf = [], oneOf = [] } = resolved(document, schema);
  return [
    ...(format === 'uuid' ? [path.join('.')] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => idsIn(document, inner, [...path, name])),
    ...(items ? idsIn(document, items, [...path, '0']) : []),
    ...[...anyOf, ...oneOf].flatMap((inner) => idsIn(document, inner, path)),
  ];
}

function resolved<Part extends { $ref?: string }>(document: Document, part: Part): Part {
  if (part.$ref === undefined) return part;
  const names = part.$ref.split('/').slice(1);
  const target = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], document);
  return resolved(document, target as Part);
}
