import { plainToInstance } from 'class-transformer';
import { ValidationError, ValidatorOptions, validateSync } from 'class-validator';
import { FieldError } from './error-codes';
import { FieldContext } from './fields/field';
import { RequestClass } from './operation';
import { Refusal } from './refusal';

const DEPTH_MAX = 20;
/** The largest request there can be, a business with fifty owners and all their documents, has fewer than 7,000. */
const VALUES_MAX = 10_000;
/** The refused fields that are listed, at most: readable, and small enough for a message. */
const FIELD_ERRORS_MAX = 200;
const FIELD_NAME_CHARACTERS_MAX = 64;

const VALIDATION: ValidatorOptions = {
  whitelist: true,
  forbidNonWhitelisted: true,
  stopAtFirstError: true,
  // A request class may have no fields; each one that arrives is then refused by its name.
  forbidUnknownValues: false,
};

/**
 * Turns a request that arrived over HTTP or on the bus into an instance of `type` with normalized texts, or throws a
 * `Refusal('validation_failed')` that names every refused field at once, up to `FIELD_ERRORS_MAX`. Unknown fields are
 * refused. Depth and number of values are checked first.
 */
export function validateRequest<Request extends object>(type: RequestClass<Request>, plain: unknown): Request {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    throw Refusal.ofField('', 'invalid_object', 'must be an object');
  }
  refuse(inheritedNames(plain, '', 0, { values: 0 }));
  const instance = plainToInstance(type, plain);
  refuse(validateSync(instance, VALIDATION).flatMap((error) => fieldErrors(error, '')));
  return instance;
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw new Refusal('validation_failed', errors.slice(0, FIELD_ERRORS_MAX));
}

/**
 * Own keys with a name that every object has (`__proto__`, `constructor`, `toString`, …): class-transformer leaves them
 * out, so that the white list would never see them.
 */
function inheritedNames(value: object, path: string, depth: number, seen: { values: number }): FieldError[] {
  if (depth > DEPTH_MAX) return [{ field: path, code: 'too_deep', message: `must not nest deeper than ${DEPTH_MAX}` }];
  const found: FieldError[] = [];
  for (const [key, child] of Object.entries(value as Record<string, unknown>)) {
    if ((seen.values += 1) > VALUES_MAX) {
      throw Refusal.ofField('', 'too_many_values', `must not have more than ${VALUES_MAX} values`);
    }
    const here = join(path, key);
    if (key in Object.prototype) found.push(unknownField(here));
    else if (typeof child === 'object' && child !== null) found.push(...inheritedNames(child, here, depth + 1, seen));
  }
  return found;
}

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const path = join(parent, error.property);
  const nested = (error.children ?? []).flatMap((child) => fieldErrors(child, path));
  const own = Object.entries(error.constraints ?? {}).map(([name, message]): FieldError => {
    if (name === 'whitelistValidation') return unknownField(path);
    const isMissing = error.value === undefined || error.value === null;
    if (isMissing) return { field: path, code: 'required', message: 'is required' };
    const context = error.contexts?.[name] as FieldContext | undefined;
    return { field: path, code: context?.code ?? 'invalid_value', message };
  });
  return [...own, ...nested];
}

const unknownField = (field: string): FieldError => ({ field, code: 'unknown_field', message: 'is not a known field' });

/** Names are echoed, so they are cut to printable ASCII of a bounded length; values never are. */
function join(parent: string, property: string): string {
  const name = property.replace(/[^\x21-\x7e]/g, '?').slice(0, FIELD_NAME_CHARACTERS_MAX);
  return parent ? `${parent}.${name}` : name;
}
