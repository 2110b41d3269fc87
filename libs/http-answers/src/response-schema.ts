import { CURRENCIES, Currency, NETWORKS } from '@stablecoin/money/currency';
import { JsonSchema, orNull } from './json-schema';

/**
 * Declares the content of responses, once: a presenter's schema stands above the presenter, gives it its return type,
 * and goes into the interface document. To declare the response of a route:
 *
 *   1. beside the presenter: `export const WALLET = resource('Wallet', { id: uuid, balance: amount, … })`,
 *      and `export function presentWallet(view: WalletView): ResponseOf<typeof WALLET> { … }`;
 *   2. at the route: `@Route({ …, responds: successOf(WALLET) })` (`pageOf`, `successOf(WALLET, message)`: envelope.ts).
 *      The compiler then checks that the method returns what `responds` declares;
 *   3. a line for each new field name in reference-page/glossary.table.ts;
 *   4. `npm run docs`, which writes docs/openapi.json anew.
 *
 * Three things keep it true: the types, the journeys, which check every response against the document, and
 * openapi-document.spec.ts, which names the route that has no description. Every field of a resource is always present,
 * null where it has no value; a resource whose fields differ by case has a variant for each (`eitherOf`).
 */
export interface ResponseSchema<Type> {
  readonly schema: JsonSchema;
  /** The resources inside; the document has each once, under its name. */
  readonly resources: ReadonlyMap<string, JsonSchema>;
  /** Carries the type; there is no value behind it. */
  readonly type?: Type;
}

/** The type that a schema describes: what a presenter returns. */
export type ResponseOf<Schema> = Schema extends ResponseSchema<infer Type> ? Type : never;

export type Fields = Readonly<Record<string, ResponseSchema<unknown>>>;
export type ObjectOf<Members extends Fields> = { [Name in keyof Members]: ResponseOf<Members[Name]> };

const NONE: ReadonlyMap<string, JsonSchema> = new Map();
const value = <Type>(schema: JsonSchema): ResponseSchema<Type> => ({ schema, resources: NONE });
const UUID_EXAMPLE = '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80';

export const text = value<string>({ type: 'string' });
export const flag = value<boolean>({ type: 'boolean' });
export const count = value<number>({ type: 'integer', minimum: 0 });
/** The status of a webhook receiver's HTTP answer. */
export const statusCode = value<number>({ type: 'integer', minimum: 100, maximum: 999, examples: [200] });
export const uuid = value<string>({ type: 'string', format: 'uuid', examples: [UUID_EXAMPLE] });
/** ISO 8601, UTC, milliseconds. */
export const timestamp = value<string>({
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  examples: ['2026-01-31T09:30:00.000Z'],
});
/** An amount of money: always 8 decimals. */
export const amount = value<string>({ type: 'string', pattern: '^\\d+\\.\\d{8}$', examples: ['10.50000000'] });
/** What a wallet holds: an amount, or less than nothing after the reversal of a deposit. */
export const balance = value<string>({ type: 'string', pattern: '^-?\\d+\\.\\d{8}$', examples: ['10.50000000'] });
/** A price: as many decimals as it needs, at most 12. */
export const price = value<string>({ type: 'string', pattern: '^\\d+(\\.\\d{1,12})?$', examples: ['1489.55'] });
export const currency = oneOf(Object.keys(CURRENCIES) as Currency[]);
export const network = oneOf(NETWORKS);

/** A text of this form. */
export function matching(pattern: RegExp, example: string): ResponseSchema<string> {
  return value({ type: 'string', pattern: pattern.source, examples: [example] });
}

/** One of these texts. */
export function oneOf<Choice extends string>(choices: readonly Choice[]): ResponseSchema<Choice> {
  return value({ type: 'string', enum: choices });
}

/** This value and no other. */
export function always<const Constant extends string | boolean>(constant: Constant): ResponseSchema<Constant> {
  return value({ type: typeof constant, const: constant });
}

/** Always null: a field that is printed here because sibling resources have it. */
export const nothing = value<null>({ type: 'null' });

export function nullable<Type>({ schema, resources }: ResponseSchema<Type>): ResponseSchema<Type | null> {
  return { schema: orNull(schema), resources };
}

export function listOf<Item>({ schema, resources }: ResponseSchema<Item>): ResponseSchema<Item[]> {
  return { schema: { type: 'array', items: schema }, resources };
}

/** An object with exactly these fields, all of them present. */
export function object<Members extends Fields>(fields: Members): ResponseSchema<ObjectOf<Members>> {
  const schemas = Object.entries(fields).map(([name, { schema }]) => [name, schema] as const);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(schemas),
      required: Object.keys(fields),
      additionalProperties: false,
    },
    resources: together(Object.values(fields)),
  };
}

/** An object that the document has under a name of its own. */
export function resource<Members extends Fields>(name: string, fields: Members): ResponseSchema<ObjectOf<Members>> {
  return named(name, object(fields));
}

/** One of two resources; a field that only the second one has says which it is. */
export function either<One, Other>(
  one: ResponseSchema<One>,
  other: ResponseSchema<Other>,
): ResponseSchema<One | Other> {
  return { schema: { oneOf: [one.schema, other.schema] }, resources: together([one, other]) };
}

/** One of several resources, under a name of its own; `field` says which, by one value of its own for each. */
export function eitherOf<Shapes extends Fields>(
  name: string,
  field: string,
  shapes: Shapes,
): ResponseSchema<ResponseOf<Shapes[keyof Shapes]>> {
  const mapping = Object.entries(shapes).map(([value, { schema }]) => [value, schema.$ref as string] as const);
  return named(name, {
    schema: {
      oneOf: Object.values(shapes).map(({ schema }) => schema),
      discriminator: { propertyName: field, mapping: Object.fromEntries(mapping) },
    },
    resources: together(Object.values(shapes)),
  });
}

function named<Type>(name: string, { schema, resources }: ResponseSchema<Type>): ResponseSchema<Type> {
  return {
    schema: { $ref: `#/components/schemas/${name}` },
    resources: together([
      { schema, resources: new Map([[name, schema]]) },
      { schema, resources },
    ]),
  };
}

/** @throws Error when two different resources have one name */
function together(parts: readonly ResponseSchema<unknown>[]): ReadonlyMap<string, JsonSchema> {
  const all = new Map<string, JsonSchema>();
  for (const [name, schema] of parts.flatMap(({ resources }) => [...resources])) {
    const before = all.get(name);
    if (before && before !== schema) throw new Error(`two different resources are named ${name}: rename one`);
    all.set(name, schema);
  }
  return all;
}
