const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 10;
const HALVES = 2 ** 25;
const POSITIONS = 2 ** 40;
const ROUND_KEYS = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

/** The largest number of shards for which all codes are distinct. */
export const SHARDS_MAX = 1 << 10;

/**
 * The 10 characters by which merchants name a transaction, computed from the position of its first event in the log: no
 * two are equal, and none needs randomness. A Feistel network (a permutation of the 2^50 numbers, which fit in 36^10)
 * makes neighbours look different. It hides nothing, and nothing relies on it for that.
 */
export function transactionCode(shard: number, position: number): string {
  const number = shard * POSITIONS + position;
  let left = Math.floor(number / HALVES);
  let right = number % HALVES;
  for (const key of ROUND_KEYS) [left, right] = [right, left ^ mixed(right, key)];
  let rest = left * HALVES + right;
  let code = '';
  for (let index = 0; index < LENGTH; index += 1) {
    code = ALPHABET.charAt(rest % 36) + code;
    rest = Math.floor(rest / 36);
  }
  return code;
}

/**
 * The lower 25 bits of product ^ (product >> 19), where the product (half + 1) * key has up to 58 bits: of it the lower 44
 * are needed, and they are made of two parts that a number holds exactly.
 */
function mixed(half: number, key: number): number {
  const [low, high] = [(half + 1) * (key & 0xffff), (half + 1) * (key >>> 16)];
  const product = (low + (high % 2 ** 28) * 2 ** 16) % 2 ** 44;
  return (product % HALVES) ^ (Math.floor(product / 2 ** 19) % HALVES);
}
