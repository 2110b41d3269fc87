import { plainToInstance } from 'class-transformer';
import { ValidationError, ValidatorOptions, validateSync } from 'class-validator';
import { FieldError } from './error-codes';
import { FieldContext } from './fields/field';
import { fieldPath, knownPart, unknownField } from './known-fields';
import { RequestClass } from './operation';
import { Refusal } from './refusal';

const DEPTH_MAX = 20;
/** The largest request there can be is a business with fifty owners and ten documents of each. */
const VALUES_MAX = 4_000;
/** The refused fields that are listed, at most: readable, and small enough for a message. */
const FIELD_ERRORS_MAX = 200;

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
 * refused; with more than `UNKNOWN_FIELDS_MAX` of them nothing else is read. Depth and number of values are checked first.
 */
export function validateRequest<Request extends object>(type: RequestClass<Request>, plain: unknown): Request {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    throw Refusal.ofField('', 'invalid_object', 'must be an object');
  }
  countValues(plain, 0);
  const instance = plainToInstance<Request, object>(type, knownPart(type, plain));
  refuse(validateSync(instance, VALIDATION).flatMap((error) => fieldErrors(error, '')));
  return instance;
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw new Refusal('validation_failed', errors.slice(0, FIELD_ERRORS_MAX));
}

/** @throws Refusal for too many values, or nested too deep */
function countValues(container: object, depth: number): number {
  if (depth > DEPTH_MAX) throw Refusal.ofField('', 'too_deep', `must not nest deeper than ${DEPTH_MAX}`);
  let count = 0;
  for (const value of Object.values(container) as unknown[]) {
    count += 1 + (typeof value === 'object' && value !== null ? countValues(value, depth + 1) : 0);
    if (count > VALUES_MAX) {
      throw Refusal.ofField('', 'too_many_values', `must not have more than ${VALUES_MAX} values`);
    }
  }
  return count;
}

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const path = fieldPath(parent, error.property);
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
