/**
 * The ledger's statement of what it owes: per currency the roots of Merkle-sum trees over the wallets of all shards, at the
 * end of one signed checkpoint of each shard. A signed note (c2sp.org/signed-note), as checkpoints are:
 *
 *   ledger.example/liabilities                                              origin, which is also the name of the key
 *   stablecoin-liabilities/2
 *   number 12                                                               counts from 1 without gaps
 *   time 2026-11-23T12:00:00.000Z                                           when it was signed
 *   shard 0 1204 CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=               size and root of the shard's checkpoint
 *   owes USD 1250.50000000 8 1v0gR8t6Yv8uQKZr0ZJqFQ1cC5vJ5a0kq6p3R8d0p0o=   sum, depth and root hash of the tree
 *   owes USD/test 9.00000000 8 x5C0aVQ0kGq0mZ1y2s3o4b5n6c7u8w9e0r1t2y3u4i8= of test merchants' wallets: play money
 *
 *   — ledger.example/liabilities Az3grlgtzPICa5…
 *
 * Shards and currencies are each named once, in order, so that a statement has one text. The first form, `/1`, has one tree per currency
 * over the wallets of live and test merchants together. Those that exist stay what they are, and are read and checked as ever.
 */
import { Hash, sha256 } from '../merkle-tree';
import { NoteSigner, parseNote, trustedSignature, TrustedKey } from '../signed-note';
import { DEPTH_MAX, DEPTH_MIN, printUnits, readUnits } from './sum-tree';

const FORMAT = 'stablecoin-liabilities/';
const CONTEXT_DOMAIN = 'stablecoin-liability-context/1\n';

export interface StatedShard {
  shard: number;
  /** Of its checkpoint: how many events, and so the last one's position. */
  size: number;
  /** Of the Merkle tree over them. */
  root: Hash;
}

/** Of which a sum is: a currency's code, and `/test` behind it for what test merchants' wallets are owed. */
export type StatedCurrency = string;

const TEST = '/test';

export const isOfTest = (currency: StatedCurrency): boolean => currency.endsWith(TEST);

export const codeOf = (currency: StatedCurrency): string =>
  isOfTest(currency) ? currency.slice(0, -TEST.length) : currency;

/** By which a statement names the trees that can have a wallet of a currency. */
export const treeNamesOf = (code: string): readonly StatedCurrency[] => [code, `${code}${TEST}`];

export interface StatedSum {
  currency: StatedCurrency;
  /** Units of the eighth decimal. */
  sum: bigint;
  depth: number;
  /** Hash of the Merkle-sum tree's root; its sum stands beside it. */
  root: Hash;
}

export interface LiabilityPlace {
  /** 1 has live and test in one sum. */
  form: 1 | 2;
  origin: string;
  number: number;
  time: string;
  /** By number. */
  shards: readonly StatedShard[];
}

export interface LiabilityStatement extends LiabilityPlace {
  /** By code. */
  owed: readonly StatedSum[];
}

export const liabilitiesOriginOf = (ledger: string): string => `${ledger}/liabilities`;

/** The name of the ledger, in the origins of its checkpoints; undefined for another origin. */
export const ledgerOf = (origin: string): string | undefined => /^(.+)\/liabilities$/.exec(origin)?.[1];

/** What binds each leaf to one statement and currency. */
export const contextOf = (place: LiabilityPlace, currency: StatedCurrency): Hash =>
  sha256(CONTEXT_DOMAIN, placeText(place), `${currency}\n`);

/** @param signer whose name is the origin */
export function signLiabilities(statement: LiabilityStatement, signer: NoteSigner): string {
  return signer.sign(textOf(statement));
}

function textOf({ owed, ...place }: LiabilityStatement): string {
  const sums = owed.map(
    ({ currency, sum, depth, root }) => `owes ${currency} ${printUnits(sum)} ${depth} ${root.toString('base64')}\n`,
  );
  return `${placeText(place)}${sums.join('')}`;
}

function placeText({ form, origin, number, time, shards }: LiabilityPlace): string {
  const places = shards.map(({ shard, size, root }) => `shard ${shard} ${size} ${root.toString('base64')}\n`);
  return `${origin}\n${FORMAT}${form}\nnumber ${number}\ntime ${time}\n${places.join('')}`;
}

const COUNT = '0|[1-9]\\d{0,14}';
const ROOT = '[A-Za-z0-9+/]{43}=';
const NUMBER = /^number ([1-9]\d{0,14})$/;
const TIME = /^time (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
const SHARD = new RegExp(`^shard (0|[1-9]\\d{0,4}) (${COUNT}) (${ROOT})$`);
const OWES = new RegExp(`^owes ([A-Z]{3,10}(?:${TEST})?) (\\S+) ([1-9]\\d?) (${ROOT})$`);

/** Reads a statement without checking its signatures; undefined if the text is none. */
export function readLiabilities(note: string): LiabilityStatement | undefined {
  const text = parseNote(note)?.text;
  if (text === undefined) return undefined;
  const [origin = '', form, numberLine = '', timeLine = '', ...rest] = text.split('\n');
  const [, number] = NUMBER.exec(numberLine) ?? [];
  const [, time = ''] = TIME.exec(timeLine) ?? [];
  const shards = rest.flatMap((line) => SHARD.exec(line) ?? []);
  const statement: LiabilityStatement = {
    form: form === `${FORMAT}1` ? 1 : 2,
    origin,
    number: Number(number),
    time,
    shards: listOf(shards, 4).map(([, shard, size, root = '']) => ({
      shard: Number(shard),
      size: Number(size),
      root: Buffer.from(root, 'base64'),
    })),
    owed: listOf(
      rest.flatMap((line) => OWES.exec(line) ?? []),
      5,
    ).map(([, currency = '', sum, depth, root = '']) => ({
      currency,
      sum: readUnits(sum) ?? 0n,
      depth: Number(depth),
      root: Buffer.from(root, 'base64'),
    })),
  };
  // What was read is written as it was: no line was passed over, and none has another spelling.
  return textOf(statement) === text && isSound(statement) ? statement : undefined;
}

function isSound({ form, origin, shards, owed }: LiabilityStatement): boolean {
  return (
    ledgerOf(origin) !== undefined &&
    shards.length > 0 &&
    isAscending(shards.map(({ shard }) => shard)) &&
    isAscending(owed.map(({ currency }) => currency)) &&
    owed.every(({ currency }) => form === 2 || !isOfTest(currency)) &&
    owed.every(({ depth }) => depth >= DEPTH_MIN && depth <= DEPTH_MAX)
  );
}

const isAscending = (values: readonly (number | string)[]): boolean =>
  values.every((value, index) => index === 0 || (values[index - 1] as typeof value) < value);

function listOf(matches: readonly string[], width: number): string[][] {
  return Array.from({ length: matches.length / width }, (_, index) =>
    matches.slice(index * width, (index + 1) * width),
  );
}

export type VerifiedLiabilities = LiabilityStatement & { keyId: string };

/** Reads a statement that one of these keys has signed; else the reason why it is not trusted. */
export function verifyLiabilities(note: string, keys: readonly TrustedKey[]): VerifiedLiabilities | string {
  const parsed = parseNote(note);
  const statement = readLiabilities(note);
  if (!parsed || !statement) return 'it is no statement of liabilities';
  const signature = trustedSignature(parsed, statement.origin, withoutShard(keys));
  if (!signature) return 'no valid signature by a key that was given';
  return { ...statement, keyId: signature.keyId };
}

/**
 * A key in the form `name+id+base64` that checkpoints are checked with names the origin of a shard. It is the same key, so of
 * its name only the ledger counts.
 */
function withoutShard(keys: readonly TrustedKey[]): TrustedKey[] {
  return keys.map(({ name, publicKey }) => {
    const ledger = name === undefined ? undefined : /^(.+)\/shard\/\d{1,5}$/.exec(name)?.[1];
    return { publicKey, name: ledger === undefined ? name : liabilitiesOriginOf(ledger) };
  });
}
