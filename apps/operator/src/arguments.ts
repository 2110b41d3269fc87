import { ApiKeyScope } from '@stablecoin/contracts/customer/resolve-api-key';
import { addressRange } from '@stablecoin/contracts/wire/fields/address-range';
import { isEmail } from '@stablecoin/contracts/wire/fields/contact';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { isCleanText, normalizedText } from '@stablecoin/contracts/wire/fields/text';
import { API_KEY_SCOPES } from '@stablecoin/customer-store/merchants/api-key';
import { AMOUNT_PATTERN } from '@stablecoin/money/amount';
import { InvalidArgumentError } from 'commander';

/** Readers of the options' values; each says what it expected. */
export function uuid(value: string): string {
  if (isUuid(value)) return value.toLowerCase();
  throw new InvalidArgumentError('It must be a UUID.');
}

export function textOfUpTo(maximum: number): (value: string) => string {
  return (value) => {
    const text = normalizedText(value);
    if (isCleanText(text, { min: 1, max: maximum })) return text;
    throw new InvalidArgumentError(`It must be text of 1 to ${maximum} characters.`);
  };
}

export function emailAddress(value: string): string {
  if (isEmail(value)) return value;
  throw new InvalidArgumentError('It must be an e-mail address.');
}

export function amount(value: string): string {
  if (AMOUNT_PATTERN.test(value)) return value;
  throw new InvalidArgumentError('It must be a decimal such as 1.50.');
}

export function scopes(value: string): ApiKeyScope[] {
  const named = [...new Set(value.split(',').map((scope) => scope.trim()))];
  const known = API_KEY_SCOPES.filter((scope) => named.includes(scope));
  if (known.length > 0 && known.length === named.length) return known;
  throw new InvalidArgumentError(`It must be one or more of ${API_KEY_SCOPES.join(',')}.`);
}

const ALLOWED_ADDRESSES_MAX = 50;

/** One more of an option that can be repeated. */
export function allowedAddress(value: string, before: readonly string[] = []): string[] {
  if (before.length >= ALLOWED_ADDRESSES_MAX)
    throw new InvalidArgumentError(`There can be ${ALLOWED_ADDRESSES_MAX} at the most.`);
  try {
    return [...before, addressRange(value)];
  } catch {
    throw new InvalidArgumentError('It must be an address, or a network as address/bits, such as 203.0.113.0/24.');
  }
}

export function wholeNumber(maximum: number): (value: string) => number {
  return (value) => {
    if (/^\d{1,9}$/.test(value) && Number(value) <= maximum) return Number(value);
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maximum}.`);
  };
}
