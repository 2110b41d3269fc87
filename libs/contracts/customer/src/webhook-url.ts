import { all, field, normalized } from '@stablecoin/contracts/wire/fields/field';
import { isCleanText, normalizedText } from '@stablecoin/contracts/wire/fields/text';
import { isLoopbackHost } from '@stablecoin/contracts/wire/loopback-host';

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
