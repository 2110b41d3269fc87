import { nameOf, type Schema } from '../interface/interface-document';
import { htmlOf, inlineOf } from './html';

/**
 * The fields of a body or an answer, as a nested list: name, type, whether it must be there, what it says. Fields of
 * fields are folded. One line of HTML without an empty line, which would end it in Markdown.
 */

type Schemas = Readonly<Record<string, Schema>>;

const DEPTH_MAX = 6;

export function fieldsOf(schema: Schema, schemas: Schemas, depth = 0): string {
  const { oneOf, anyOf, items, properties = {}, required = [] } = resolved(schema, schemas);
  if (depth > DEPTH_MAX) return '';
  if (items !== undefined) return fieldsOf(items, schemas, depth);
  const variants = [...(oneOf ?? []), ...(anyOf ?? [])].filter((variant) => hasFields(variant, schemas));
  if (variants.length > 0) return variants.map((variant) => variantOf(variant, schemas, depth)).join('');
  const fields = Object.entries(properties).map(([name, of]) =>
    fieldOf(name, of, required.includes(name), schemas, depth),
  );
  return fields.length === 0 ? '' : `<ul class="fields">${fields.join('')}</ul>`;
}

function fieldOf(name: string, given: Schema, isRequired: boolean, schemas: Schemas, depth: number): string {
  const schema = resolved(given, schemas);
  const facts = [typeOf(given, schemas), ...(isRequired ? ['required'] : [])].join(', ');
  const says = [given.description ?? schema.description ?? '', ...limitsOf(schema)]
    .filter(Boolean)
    .map(inlineOf)
    .join(' ');
  const inner = fieldsOf(schema, schemas, depth + 1);
  const folded = inner && `<details><summary>Fields of <code>${htmlOf(name)}</code></summary>${inner}</details>`;
  return `<li><code>${htmlOf(name)}</code> <span class="facts">${htmlOf(facts)}</span> ${says}${folded}</li>`;
}

function variantOf(schema: Schema, schemas: Schemas, depth: number): string {
  const name = schema.$ref === undefined ? 'One form' : wordsOf(nameOf(schema.$ref));
  return `<details><summary>${htmlOf(name)}</summary>${fieldsOf(schema, schemas, depth + 1)}</details>`;
}

function hasFields(schema: Schema, schemas: Schemas): boolean {
  const { properties, items, oneOf, anyOf } = resolved(schema, schemas);
  return [properties, items, oneOf, anyOf].some((part) => part !== undefined);
}

function typeOf(given: Schema, schemas: Schemas): string {
  const schema = resolved(given, schemas);
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.items !== undefined) return `list of ${pluralOf(typeOf(schema.items, schemas))}`;
  const types = [schema.type ?? (schema.oneOf ?? schema.anyOf ?? []).map((variant) => resolved(variant, schemas).type)];
  const names = [...new Set(types.flat(2))].map((type) => (type === 'string' && schema.format) || type);
  return names.filter((name) => name !== undefined).join(' or ') || 'any';
}

const pluralOf = (type: string): string => (/^(string|object|integer|number|uuid)$/.test(type) ? `${type}s` : type);

function limitsOf(schema: Schema): string[] {
  const { enum: options, default: standard, maxLength, minimum, maximum, maxItems } = schema;
  return [
    ...(options === undefined ? [] : [`One of ${options.map((option) => `\`${String(option)}\``).join(', ')}.`]),
    ...(standard === undefined ? [] : [`Left out: \`${JSON.stringify(standard)}\`.`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters.`]),
    ...(minimum === undefined || maximum === undefined ? [] : [`From ${minimum} to ${maximum}.`]),
    ...(maxItems === undefined ? [] : [`At most ${maxItems} of them.`]),
  ];
}

const resolved = (schema: Schema, schemas: Schemas): Schema =>
  schema.$ref === undefined ? schema : { ...schemas[nameOf(schema.$ref)], ...withoutRef(schema) };

const withoutRef = ({ $ref: _ref, ...rest }: Schema): Schema => rest;

/** `BusinessCustomer` as words. */
const wordsOf = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
