import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { InvalidArgumentError } from 'commander';

export const JSON_HELP = 'one JSON object on stdout';

/** An option that may be given several times. */
export const collected =
  <Value>(read: (text: string) => Value) =>
  (text: string, before: Value[] = []): Value[] => [...before, read(text)];

export function wholeNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}

export function trustedKey(text: string): TrustedKey {
  const key = parseTrustedKey(text);
  if (!key) throw new InvalidArgumentError('It takes 32 bytes in base64, or a key in the form name+id+base64.');
  return key;
}
