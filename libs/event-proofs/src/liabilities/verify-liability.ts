/**
 * Checks with a public key alone that a wallet is counted in a signed statement of liabilities.
 *
 *   the statement is signed → the wallet's leaf, made from its id, salt, balance and held money → up the branch, each node
 *   from both children's hashes and sums → the root hash and the sum that the statement names, of live merchants or of test
 *
 * It proves that the sum contains what this wallet is owed. That no other wallet was left out shows only when their owners
 * check as well, or when an auditor makes the tree anew from the log.
 */
import { hashOf, isObject, unwrapped } from '../proof-documents';
import { TrustedKey } from '../signed-note';
import { ProofRefused } from '../proven-events';
import {
  codeOf,
  contextOf,
  treeNamesOf,
  StatedSum,
  VerifiedLiabilities,
  verifyLiabilities,
} from './liability-statement';
import { Liability, owedOf, parentOf, readSignedUnits, readUnits, SumNode, UNITS_MAX, walletLeaf } from './sum-tree';

export const LIABILITY_FORMAT = 'stablecoin-ledger-liability/1';

/** A document without a secret but the wallet's own salt. */
export interface LiabilityDocument<Currency extends string = string> {
  format: typeof LIABILITY_FORMAT;
  wallet_id: string;
  currency: Currency;
  /** At the statement's positions, with 8 decimals; below zero only by a deposit that was reversed. */
  balance: string;
  /** Amounts and fees of its payouts that were PENDING. */
  held: string;
  /** 64 hex digits. */
  salt: string;
  /** Of the leaf, counted from 0: its bits say on which side each sibling stands. */
  index: number;
  /** From the leaf's sibling up. */
  path: { hash: string; sum: string }[];
  /** The signed note, line feeds included. */
  statement: string;
}

export interface ProvedLiability {
  liability: Liability;
  /** Its code; whether it is counted as live or test says `stated`. */
  currency: string;
  /** What it counts in the sum. */
  owed: bigint;
  stated: StatedSum;
  statement: VerifiedLiabilities;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @param document as parsed from JSON; a response of the interface with the document in its `data` is taken too
 * @throws ProofRefused
 */
export function verifyLiability(document: unknown, keys: readonly TrustedKey[]): ProvedLiability {
  const proof = unwrapped(document);
  if (!isObject(proof) || proof['format'] !== LIABILITY_FORMAT) {
    refuse(`it is no document of the form ${LIABILITY_FORMAT}`);
  }
  const statement = verifyLiabilities(String(proof['statement']), keys);
  if (typeof statement === 'string') refuse(`the statement: ${statement}`);
  const { currency } = proof;
  const names = typeof currency === 'string' && /^[A-Z]+$/.test(currency) ? treeNamesOf(currency) : [];
  const trees = statement.owed.filter((stated) => names.includes(stated.currency));
  const liability = liabilityIn(proof);
  const salt = hashOf(proof['salt']) ?? refuse('its salt is no 32 bytes in hex');
  // The document does not say in which of two trees the wallet is: each binds its leaves to itself, and so only one can have it.
  const reasons = trees.map((stated) =>
    reasonOf(() => {
      const leaf = walletLeaf(contextOf(statement, stated.currency), salt, liability);
      const root = climb(leaf, indexIn(proof, stated.depth), pathIn(proof, stated.depth));
      if (root.sum !== stated.sum) refuse('the sums of its branch are not the sum that was signed');
      if (!root.hash.equals(stated.root)) refuse('the wallet is not in the tree that was signed');
    }),
  );
  const stated =
    trees[reasons.indexOf(undefined)] ?? refuse(reasons.at(-1) ?? 'the statement says nothing of this currency');
  return { liability, currency: codeOf(stated.currency), owed: owedOf(liability), stated, statement };
}

/** Why it is refused; undefined where it is not. */
function reasonOf(judge: () => void): string | undefined {
  try {
    judge();
    return undefined;
  } catch (error) {
    if (error instanceof ProofRefused) return error.message;
    throw error;
  }
}

function liabilityIn({ wallet_id, balance, held }: Record<string, unknown>): Liability {
  if (typeof wallet_id !== 'string' || !UUID.test(wallet_id)) refuse('it names no wallet');
  const [units, heldUnits] = [readSignedUnits(balance), readUnits(held)];
  if (units === undefined) refuse('its balance is no amount');
  if (heldUnits === undefined) refuse('its held money is no amount of at least zero');
  const liability = { wallet_id, balance: units, held: heldUnits };
  if (owedOf(liability) > UNITS_MAX) refuse('what it is owed is no amount');
  return liability;
}

function indexIn({ index }: Record<string, unknown>, depth: number): number {
  const isIndex = typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 && index < 2 ** depth;
  return isIndex ? index : refuse('its index is not one of the tree');
}

function pathIn({ path }: Record<string, unknown>, depth: number): SumNode[] {
  if (!Array.isArray(path) || path.length !== depth) refuse(`its branch has not ${depth} nodes`);
  return path.map((node: unknown) => {
    const [hash, sum] = isObject(node) ? [hashOf(node['hash']), readUnits(node['sum'])] : [];
    if (!hash || sum === undefined) refuse('a node of its branch lacks its hash, or a sum of at least zero');
    return { hash, sum };
  });
}

function climb(leaf: SumNode, index: number, path: readonly SumNode[]): SumNode {
  let [node, place] = [leaf, index];
  for (const [below, beside] of path.entries()) {
    if (node.sum + beside.sum > UNITS_MAX) refuse('the sums of its branch are no amount');
    node = place % 2 === 1 ? parentOf(below + 1, beside, node) : parentOf(below + 1, node, beside);
    place = Math.floor(place / 2);
  }
  return node;
}

function refuse(why: string): never {
  throw new ProofRefused(why);
}
