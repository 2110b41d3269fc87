import { IfPresent, all, field } from '@stablecoin/contracts/wire/fields/field';
import { IsText, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { countryCode, isCountryCode } from './reference-tables/countries';

/** An assigned ISO 3166-1 alpha-2 code, upper case. */
export function IsCountryCode(): PropertyDecorator {
  return field({
    name: 'isCountryCode',
    code: 'invalid_country',
    message: 'must be a two-letter country code (ISO 3166-1 alpha-2)',
    schema: { type: 'string', pattern: '^[A-Z]{2}$' },
    check: (value) => typeof value === 'string' && isCountryCode(value),
  });
}

/** A country's English short name, as responses print it; its code is taken as well. */
export function IsCountryName(): PropertyDecorator {
  return field({
    name: 'isCountryName',
    code: 'invalid_country',
    message: 'must be the English name of a country or its two-letter code',
    schema: { type: 'string', maxLength: 100 },
    check: (value) => typeof value === 'string' && (isCountryCode(value) || countryCode(value) !== undefined),
  });
}

/** The address as create and update take it. */
export class RegisteredAddress {
  @IsText({ max: 200 }) street1: string;
  @OptionalText({ max: 200 }) street2?: string | null;
  @IsText({ max: 100 }) city: string;
  @IsText({ max: 100 }) state: string;
  @OptionalText({ max: 20 }) postal_code?: string | null;
  @IsCountryCode() country: string;
}

/** The address as lists print it; an update takes it back. */
export class PrintedAddress {
  @IsText({ max: 200 }) line_1: string;
  @OptionalText({ max: 200 }) line_2?: string | null;
  @IsText({ max: 100 }) city: string;
  @IsText({ max: 100 }) state: string;
  @OptionalText({ max: 20 }) postal_code?: string | null;
  @IsCountryName() country: string;
}

/** A field of an update whose record can't be without it: absent or valid, never null. */
export function Kept(...decorators: PropertyDecorator[]): PropertyDecorator {
  return all(IfPresent(), ...decorators);
}
