import { FieldError } from '@stablecoin/contracts/wire/error-codes';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { fieldPath } from '@stablecoin/contracts/wire/known-fields';
import { RequestClass } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';

/** The repeated parameters that are listed, at most; a URL has room for thousands. */
const REPEATED_PARAMETERS_MAX = 50;

/** A parameter that is given twice arrives as a list; it is refused together with the other faults. */
export function readQuery<Query extends object>(type: RequestClass<Query>, query: Record<string, unknown>): Query {
  const entries = Object.entries(query);
  const repeated = entries
    .filter(([, value]) => Array.isArray(value))
    .slice(0, REPEATED_PARAMETERS_MAX)
    .map(([name]) => repeatedParameter(name));
  if (repeated.length === 0) return validateRequest(type, query);
  const single = Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]));
  throw new Refusal('validation_failed', [...repeated, ...fieldErrorsOf(() => validateRequest(type, single))]);
}

export function fieldErrorsOf(check: () => unknown): readonly FieldError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.fields ?? [];
    throw error;
  }
}

function repeatedParameter(name: string): FieldError {
  return { field: fieldPath('', name), code: 'repeated_parameter', message: 'must be given once' };
}

/** An id in a path, in lower case. A text that can't be an id is refused like an id that doesn't exist. */
export function pathUuid(text: string): string {
  if (!isUuid(text)) throw new Refusal('not_found');
  return text.toLowerCase();
}
