import { followed, Operation, OPERATIONS, Schema } from './documented-answers';
import type { Section } from './sections';

/** One route of the interface document: `POST /wallets`, and where a request to it can name something. */
export interface DocumentedRoute {
  route: Section;
  /** It takes a form: documents.e2e.spec.ts tests it, where others go through all routes with JSON. */
  takesForm: boolean;
  /** Such as `path wallet_id`, `query customer_id`, `body quote_id`. */
  ids: string[];
}

/** Query parameters that find by an id without being one. */
const SEARCHES = ['search', 'transaction_id'];
const DEPTH_MAX = 8;

export function documentedRoutes(): DocumentedRoute[] {
  return OPERATIONS.map((operation) => ({
    route: `${operation.method} ${operation.path}` as Section,
    takesForm: operation.takesForm,
    ids: [...parameterIds(operation), ...bodyIds(operation)],
  }));
}

function parameterIds({ parameters }: Operation): string[] {
  return parameters
    .filter(({ in: place, name, schema }) => place === 'path' || (place === 'query' && isId(name, schema)))
    .map(({ in: place, name }) => `${place} ${name}`);
}

const isId = (name: string, { format }: Schema) => format === 'uuid' || SEARCHES.includes(name);

function bodyIds({ body }: Operation): string[] {
  return body ? idsIn(body, []).map((field) => `body ${field}`) : [];
}

function idsIn(schema: Schema, path: string[]): string[] {
  if (path.length > DEPTH_MAX) return [];
  const { format, properties = {}, items, anyOf = [], oneOf = [] } = followed(schema);
  return [
    ...(format === 'uuid' ? [path.join('.')] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => idsIn(inner, [...path, name])),
    ...(items ? idsIn(items, [...path, '0']) : []),
    ...[...anyOf, ...oneOf].flatMap((inner) => idsIn(inner, path)),
  ];
}
