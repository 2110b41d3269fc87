// Reads what nodes say. Whatever is not of the form that the protocol has is refused: a wrong number is worse than none.

import type { Address, Hash, Hex } from 'viem';

export class MalformedAnswer extends Error {}

const HEX = /^0x(?:[0-9a-f]{2})*$/i;
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/i;

/** The caller shows the name of what was wrong, never the whole answer. */
function refuse(name: string, expected: string): never {
  throw new MalformedAnswer(`${name} is not ${expected}`);
}

export function object(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(name, 'an object');
  return value as Record<string, unknown>;
}

export function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) refuse(name, 'a list');
  return value as unknown[];
}

/** @param bytes exactly so many */
export function hex(value: unknown, name: string, bytes?: number): Hex {
  const fits = typeof value === 'string' && HEX.test(value) && (bytes === undefined || value.length === 2 + 2 * bytes);
  if (!fits) refuse(name, bytes === undefined ? 'hex' : `${bytes} bytes in hex`);
  return value.toLowerCase() as Hex;
}

export const hash = (value: unknown, name: string): Hash => hex(value, name, 32);
export const address = (value: unknown, name: string): Address => hex(value, name, 20);

/** A number of at most 256 bits, in hex without leading zeros. */
export function quantity(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) refuse(name, 'a quantity in hex');
  return BigInt(value);
}

/** A quantity that is counted, such as heights and nonces. */
export function count(value: unknown, name: string): number {
  const read = quantity(value, name);
  if (read > BigInt(Number.MAX_SAFE_INTEGER)) refuse(name, 'a number that can be');
  return Number(read);
}

/** A 256-bit result of a contract. */
export function word(value: unknown, name: string): bigint {
  return BigInt(hex(value, name, 32));
}

/** @throws MalformedAnswer where the node answers another thing than it was asked for */
export function same<Value>(value: Value, asked: Value, name: string): Value {
  if (value !== asked) refuse(name, `${String(asked)}, which was asked for, but ${String(value)}`);
  return value;
}
