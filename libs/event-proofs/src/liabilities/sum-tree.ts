/**
 * A Merkle-sum tree: one root commits to what is owed to every wallet, and to the sum. Each node is a hash and a sum, a
 * node's sum is that of its children, and its hash covers hash and sum of both: a tree whose node hides a child's sum is not
 * sound (summa-solvency, issue 166).
 *
 *   wallet's leaf   SHA-256("stablecoin-liability-wallet/1\n"  ‖ context ‖ salt ‖ wallet id ‖ sign ‖ balance ‖ held)
 *   padding's leaf  SHA-256("stablecoin-liability-padding/1\n" ‖ context ‖ salt), with the sum 0
 *   node            SHA-256("stablecoin-liability-node/1\n"    ‖ height ‖ left hash ‖ left sum ‖ right hash ‖ right sum)
 *   salt, place     see `saltOf`, `placeOf`
 *
 * Every part has one length: hashes, salts and contexts 32 bytes, ids and amounts 16, sign and height 1. Amounts are units of
 * the eighth decimal, unsigned, big-endian. The context names statement and currency, so that no leaf passes for one of
 * another tree; the height keeps a node from passing for a leaf's sibling.
 *
 * A tree has 2^depth leaves: the wallets and at least one padding, in the order of their places, which are as good as drawn
 * by lot. So neither order nor size tell more than the number of wallets to a factor of two.
 */
import { Hash, sha256 } from '../merkle-tree';

const WALLET_DOMAIN = 'stablecoin-liability-wallet/1\n';
const PADDING_DOMAIN = 'stablecoin-liability-padding/1\n';
const NODE_DOMAIN = 'stablecoin-liability-node/1\n';
export const WALLET_SALT_DOMAIN = 'stablecoin-liability-salt/1\n';
export const PADDING_SALT_DOMAIN = 'stablecoin-liability-padding-salt/1\n';
export const PLACE_DOMAIN = 'stablecoin-liability-place/1\n';

/** What NUMERIC(38, 8) holds at the most; it fits into 16 bytes twice over. */
export const UNITS_MAX = 10n ** 38n - 1n;
const AMOUNT_BYTES = 16;
/** A small ledger has as many leaves as one of 255 wallets. */
export const DEPTH_MIN = 8;
export const DEPTH_MAX = 40;

export interface SumNode {
  hash: Hash;
  /** Units of the eighth decimal, at least 0. */
  sum: bigint;
}

/** What one wallet is owed, in units of the eighth decimal. */
export interface Liability {
  wallet_id: string;
  /** Below zero only by a deposit that was reversed. */
  balance: bigint;
  /** Amounts and fees of its payouts that are PENDING. */
  held: bigint;
}

/**
 * What the house owes for a wallet: a balance below zero is a claim of the house, which covers nothing that it owes to others,
 * and therefore counts as zero.
 */
export const owedOf = ({ balance, held }: Pick<Liability, 'balance' | 'held'>): bigint =>
  (balance > 0n ? balance : 0n) + held;

/** The leaf's salt: with it this leaf can be opened, and no other. @param secret of the statement, 32 bytes */
export const saltOf = (secret: Uint8Array, wallet_id: string): Hash =>
  sha256(WALLET_SALT_DOMAIN, secret, idBytes(wallet_id));

/** Leaves stand in the order of these hashes. */
export const placeOf = (salt: Uint8Array): Hash => sha256(PLACE_DOMAIN, salt);

/** @param context 32 bytes, see `liability-statement` */
export function walletLeaf(context: Uint8Array, salt: Uint8Array, liability: Liability): SumNode {
  const { wallet_id, balance, held } = liability;
  const sum = boundedSum(owedOf(liability));
  const sign = Buffer.of(balance < 0n ? 1 : 0);
  const magnitude = amountBytes(balance < 0n ? -balance : balance);
  return {
    hash: sha256(WALLET_DOMAIN, context, salt, idBytes(wallet_id), sign, magnitude, amountBytes(held)),
    sum,
  };
}

export const paddingLeaf = (context: Uint8Array, salt: Uint8Array): SumNode => ({
  hash: sha256(PADDING_DOMAIN, context, salt),
  sum: 0n,
});

/** @param height of the parent: 1 over two leaves */
export function parentOf(height: number, left: SumNode, right: SumNode): SumNode {
  const sums = [amountBytes(left.sum), amountBytes(right.sum)] as const;
  const hash = sha256(NODE_DOMAIN, Buffer.of(height), left.hash, sums[0], right.hash, sums[1]);
  return { hash, sum: boundedSum(left.sum + right.sum) };
}

/** The depth of a tree with so many wallets and at least one padding. */
export function depthFor(wallets: number): number {
  return Math.max(DEPTH_MIN, Math.ceil(Math.log2(wallets + 1)));
}

/** The root over 2^height neighbouring nodes, and with an index the siblings on the way from that node, the lowest first. */
export function subtree(nodes: readonly SumNode[], above: number, index = 0): { root: SumNode; path: SumNode[] } {
  let [level, place, height] = [nodes, index, above];
  const path: SumNode[] = [];
  while (level.length > 1) {
    height += 1;
    path.push(level[place ^ 1] as SumNode);
    place >>= 1;
    level = Array.from({ length: level.length / 2 }, (_, pair) =>
      parentOf(height, level[2 * pair] as SumNode, level[2 * pair + 1] as SumNode),
    );
  }
  return { root: level[0] as SumNode, path };
}

export function idBytes(wallet_id: string): Buffer {
  const bytes = Buffer.from(wallet_id.replaceAll('-', ''), 'hex');
  if (bytes.length !== 16) throw new RangeError(`${wallet_id} is no UUID`);
  return bytes;
}

/** @throws RangeError for an amount below zero or above UNITS_MAX */
export function amountBytes(units: bigint): Buffer {
  boundedSum(units);
  const bytes = Buffer.allocUnsafe(AMOUNT_BYTES);
  bytes.writeBigUInt64BE(units >> 64n, 0);
  bytes.writeBigUInt64BE(units & 0xffff_ffff_ffff_ffffn, 8);
  return bytes;
}

function boundedSum(units: bigint): bigint {
  if (units < 0n || units > UNITS_MAX) throw new RangeError(`${units} units are no amount`);
  return units;
}

const AMOUNT = /^(0|[1-9]\d{0,29})\.\d{8}$/;

/** Reads an amount as it is printed: one text per amount. Undefined for any other text, one below zero among them. */
export function readUnits(text: unknown): bigint | undefined {
  return typeof text === 'string' && AMOUNT.test(text) ? BigInt(text.replace('.', '')) : undefined;
}

/** The same, with `-` in front of an amount below zero. */
export function readSignedUnits(text: unknown): bigint | undefined {
  if (typeof text !== 'string' || !text.startsWith('-')) return readUnits(text);
  const units = readUnits(text.slice(1));
  return units === undefined || units === 0n ? undefined : -units;
}

export function printUnits(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(9, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}
