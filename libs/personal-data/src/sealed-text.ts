import { OwnerSeal } from './owner-seal';

/**
 * Free text in fields of the log that versions before filled in clear: `sealed:` and what a data key or a sealing key of its
 * owner has sealed. So an event keeps its shape, and a reader of any version reads it. What a caller writes is always sealed, and
 * can't be taken for sealed text.
 */
export const SEALED_TEXT = 'sealed:';

export const asSealedText = (sealed: string): string => `${SEALED_TEXT}${sealed}`;

/** What is sealed in it; undefined for a text in clear. */
export const sealedIn = (text: string): string | undefined =>
  text.startsWith(SEALED_TEXT) ? text.slice(SEALED_TEXT.length) : undefined;

export const sealText = (seal: OwnerSeal, field: string, text: string): string => asSealedText(seal.seal(field, text));
