const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 10;
const HALF_BITS = 25n;
const HALF = (1n << HALF_BITS) - 1n;
const POSITION_BITS = 40n;
const ROUND_KEYS = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn, 0x27d4eb2fn] as const;

/** The largest number of shards for which all codes are distinct. */
export const SHARDS_MAX = 1 << 10;

/**
 * The 10 characters by which merchants name a transaction, computed from the position of its first event in the log: no
 * two are equal, and none needs randomness. A Feistel network (a permutation of the 2^50 numbers, which fit in 36^10)
 * makes neighbours look different. It hides nothing, and nothing relies on it for that.
 */
export function transactionCode(shard: number, position: number): string {
  let number = (BigInt(shard) << POSITION_BITS) | BigInt(position);
  let left = number >> HALF_BITS;
  let right = number & HALF;
  for (const key of ROUND_KEYS) {
    [left, right] = [right, left ^ (mixed(right, key) & HALF)];
  }
  number = (left << HALF_BITS) | right;
  let code = '';
  for (let index = 0; index < LENGTH; index += 1) {
    code = ALPHABET.charAt(Number(number % 36n)) + code;
    number /= 36n;
  }
  return code;
}

function mixed(half: bigint, key: bigint): bigint {
  const product = (half + 1n) * key;
  return product ^ (product >> 19n);
}
