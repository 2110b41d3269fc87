import { readableText } from '@stablecoin/contracts/customer/reference-tables/readable-text';

const CODE = /^[A-Z0-9]+(_[A-Z0-9]+)*$/;

/** A code as readable text; anything else as it is. */
export function readableCode(text: string): string {
  return CODE.test(text) ? readableText(text) : text;
}

/** Turns readable text back into its code; any other text stays as it is. */
export function codeOfReadable(text: string): string {
  const code = text.toUpperCase().replaceAll(' ', '_');
  return CODE.test(code) && readableText(code) === text ? code : text;
}
