import { getMetadataStorage } from 'class-validator';
import { FieldError } from './error-codes';
import { FieldContext } from './fields/field';
import { RequestClass } from './operation';
import { Refusal } from './refusal';

/** The unknown fields that are listed, at most; a request with more is not read further. */
export const UNKNOWN_FIELDS_MAX = 50;
const FIELD_NAME_CHARACTERS_MAX = 64;

/** How far the value of a field is read. */
interface KnownField {
  /** The classes of which its object, or each object of its list, may be one; none for any other value. */
  classes: readonly RequestClass<object>[];
  takesList: boolean;
  itemsMax: number;
}

type KnownFields = ReadonlyMap<string, KnownField>;

/**
 * The part of a request that its class names, so that what is done with it afterwards costs what the class can hold,
 * whatever arrived. Objects and lists are copied as far as a valid one reaches; where the class wants another kind of value,
 * an empty one stands for them and is refused in their place. Up to `UNKNOWN_FIELDS_MAX` other names stay, without
 * their values, for the validation to refuse in its order.
 *
 * @throws Refusal with the first unknown fields, if there are more; with names that every object has (`__proto__`,
 *   `constructor`, `toString`, …), if there are any: class-transformer leaves those out, and no white list would see them
 */
export function knownPart(type: RequestClass<object>, plain: object): object {
  const found: FoundFields = { unknown: [], inherited: [] };
  const known = readObject([type], plain, '', found);
  if (found.inherited.length > 0) throw new Refusal('validation_failed', found.inherited);
  return known;
}

interface FoundFields {
  unknown: FieldError[];
  inherited: FieldError[];
}

function readObject(classes: readonly RequestClass<object>[], plain: object, path: string, found: FoundFields): object {
  const fields = classes.map(knownFieldsOf);
  const known: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) {
    const field = fields.find((of) => of.has(name))?.get(name);
    const here = fieldPath(path, name);
    if (field) known[name] = isContainer(value) ? readContainer(field, value, here, found) : value;
    else if (name in Object.prototype) noteUnknown(here, found, found.inherited);
    else {
      noteUnknown(here, found, found.unknown);
      known[name] = null;
    }
  }
  return known;
}

function noteUnknown(path: string, { unknown, inherited }: FoundFields, list: FieldError[]): void {
  if (unknown.length + inherited.length === UNKNOWN_FIELDS_MAX) {
    throw new Refusal('validation_failed', [...inherited, ...unknown]);
  }
  list.push(unknownField(path));
}

function readContainer(field: KnownField, value: object, path: string, found: FoundFields): object {
  if (!Array.isArray(value)) {
    return field.classes.length > 0 ? readObject(field.classes, value, path, found) : {};
  }
  if (!field.takesList) return [];
  // One item too many is refused like any number of them.
  if (value.length > field.itemsMax) return Array<null>(field.itemsMax + 1).fill(null);
  return value.map((item: unknown, index) =>
    isContainer(item)
      ? readContainer({ ...field, takesList: false }, item, fieldPath(path, String(index)), found)
      : item,
  );
}

const fieldsByClass = new Map<RequestClass<object>, KnownFields>();

function knownFieldsOf(type: RequestClass<object>): KnownFields {
  const known = fieldsByClass.get(type) ?? readClass(type);
  fieldsByClass.set(type, known);
  return known;
}

function readClass(type: RequestClass<object>): KnownFields {
  const storage = getMetadataStorage();
  const rules = storage.groupByPropertyName(storage.getTargetValidationMetadatas(type, '', false, false));
  return new Map(
    Object.entries(rules).map(([name, ofField]) => [
      name,
      fieldOf(ofField.flatMap(({ context }) => (context ? [context as FieldContext] : []))),
    ]),
  );
}

function fieldOf(contexts: readonly FieldContext[]): KnownField {
  const lists = contexts.filter(({ schema }) => schema.type === 'array');
  return {
    classes: contexts.flatMap(({ nested, alternatives }) => [
      ...(nested ? [nested()] : []),
      ...(alternatives?.() ?? []),
    ]),
    takesList: lists.length > 0,
    itemsMax: Math.min(...lists.map(({ schema }) => schema.maxItems ?? schema.items?.enum?.length ?? Infinity)),
  };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export const unknownField = (field: string): FieldError => ({
  field,
  code: 'unknown_field',
  message: 'is not a known field',
});

/** Names are echoed, so they are cut to printable ASCII of a bounded length; values never are. */
export function fieldPath(parent: string, property: string): string {
  const name = property.slice(0, FIELD_NAME_CHARACTERS_MAX).replace(/[^\x21-\x7e]/g, '?');
  return parent ? `${parent}.${name}` : name;
}
