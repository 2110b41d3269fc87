import { all, field, normalized } from './field';
import { MatchesPattern, isCleanText, normalizedText } from './text';

export const PHONE_PATTERN = /^\+[1-9]\d{1,14}$/;
// The practical subset of RFC 5321: a dot-atom, an @, a host name with at least one dot, whose last label is letters or,
// in its ASCII form, an internationalized one.
const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const EMAIL = new RegExp(`^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+(?:[A-Za-z]{2,63}|[Xx][Nn]--${LABEL})$`);

/** An e-mail address of at most 254 characters, 64 before the @ (RFC 5321); compared in lower case. */
export function isEmail(value: unknown): value is string {
  return isCleanText(value, { min: 3, max: 254 }) && EMAIL.test(value) && value.indexOf('@') <= 64;
}

export function IsEmailAddress(): PropertyDecorator {
  return all(
    normalized(normalizedText),
    field({
      name: 'isEmailAddress',
      code: 'invalid_email',
      message: 'must be an e-mail address',
      schema: { type: 'string', format: 'email', maxLength: 254 },
      check: isEmail,
    }),
  );
}

export function IsPhone(): PropertyDecorator {
  return MatchesPattern({
    pattern: PHONE_PATTERN,
    code: 'invalid_phone',
    message: 'must be an international phone number such as +2348012345678',
    example: '+2348012345678',
  });
}

export function IsPhoneCountryCode(): PropertyDecorator {
  return MatchesPattern({
    pattern: /^\+[1-9]\d{0,3}$/,
    code: 'invalid_phone_country_code',
    message: 'must be a country calling code such as +234',
    example: '+234',
  });
}

export function IsHttpUrl(options: { httpsOnly?: boolean } = {}): PropertyDecorator {
  return all(
    normalized(normalizedText),
    field({
      name: 'isHttpUrl',
      code: 'invalid_url',
      message: options.httpsOnly ? 'must be an https URL' : 'must be an http or https URL',
      schema: { type: 'string', format: 'uri', maxLength: 2048 },
      check: (value) => isCleanText(value, { min: 1, max: 2048 }) && isHttpUrl(value, options.httpsOnly ?? false),
    }),
  );
}

const HOST_WITH_DOT = /[^.]\.[^.]/;

export function isHttpUrl(text: string, httpsOnly: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return HOST_WITH_DOT.test(hostname) && (protocol === 'https:' || (!httpsOnly && protocol === 'http:'));
}
