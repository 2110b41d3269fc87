import { all, field, normalized } from '@stablecoin/contracts/wire/fields/field';
import { isCleanText, normalizedText } from '@stablecoin/contracts/wire/fields/text';

/** This machine, by name or by address; the brackets are the URL's own. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Where events are sent: https anywhere, or http to this machine. No user, no fragment: neither would be sent. */
export function IsWebhookUrl(): PropertyDecorator {
  return all(
    normalized(normalizedText),
    field({
      name: 'isWebhookUrl',
      code: 'invalid_url',
      message: 'must be an https URL without user and fragment; with a test key also http on this machine (loopback)',
      schema: { type: 'string', format: 'uri', maxLength: 2048 },
      check: (value) => isCleanText(value, { min: 1, max: 2048 }) && isWebhookUrl(value),
    }),
  );
}

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  if (isLoopbackHost(hostname)) return protocol === 'https:' || protocol === 'http:';
  return protocol === 'https:' && (hostname.includes('.') || hostname.includes(':'));
}

/** @param hostname as `URL` gives it: lower case, addresses in their one spelling, IPv6 in brackets */
export const isLoopbackHost = (hostname: string): boolean => LOOPBACK.test(hostname);
