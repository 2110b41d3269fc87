/**
 * Trees and branches as a dishonest ledger would make them, which has the key: a thousand of them, of every kind, from a seed.
 * Each is refused; the honest ones are not. A second verifier, written from the header of `sum-tree` alone, judges alike.
 */
import { hash as digestOf } from 'node:crypto';
import { NoteSigner, parseTrustedKey } from '../signed-note';
import { ProofRefused } from '../proven-events';
import {
  contextOf,
  liabilitiesOriginOf,
  LiabilityStatement,
  readLiabilities,
  signLiabilities,
} from './liability-statement';
import { Liability, owedOf, placeOf, printUnits, saltOf, UNITS_MAX } from './sum-tree';
import { LIABILITY_FORMAT, LiabilityDocument, verifyLiability } from './verify-liability';

const SEED = 'forged liabilities 1';
const signer = new NoteSigner(liabilitiesOriginOf('ledger.test'), Buffer.alloc(32, 4));
const keys = [{ publicKey: signer.publicKey }];
const CURRENCIES = ['USD', 'USDC'];
/** In statements of the second form all that is owed in the second currency is owed to test merchants. */
const statedAs = ({ form }: Pick<LiabilityStatement, 'form'>, currency: string) =>
  form === 2 && currency === 'USDC' ? 'USDC/test' : currency;
const DEPTH = 8;
const MODULUS = 2n ** 128n;

class Draw {
  private count = 0;

  bytes(): Buffer {
    return digestOf('sha256', `${SEED}/${(this.count += 1)}`, 'buffer');
  }

  below(limit: number): number {
    return this.bytes().readUInt32BE(0) % limit;
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  wallet(): Liability {
    const hex = this.bytes().toString('hex', 0, 16);
    const wallet_id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const balance = BigInt(this.below(1_000_000)) * 10_000n - (this.below(10) === 0 ? 10n ** 10n : 0n);
    return { wallet_id, balance, held: this.below(3) === 0 ? BigInt(this.below(500_000)) : 0n };
  }
}

const sha = (...parts: (string | Buffer)[]) =>
  digestOf('sha256', Buffer.concat(parts.map((part) => Buffer.from(part))), 'buffer');
/** Bound by nothing: what doesn't fit wraps around, as in a program that doesn't look. */
const bytesOf = (units: bigint, length = 16) =>
  Buffer.from((((units % MODULUS) + MODULUS) % MODULUS).toString(16).padStart(2 * length, '0'), 'hex');
const idOf = (wallet_id: string) => Buffer.from(wallet_id.replaceAll('-', ''), 'hex');

interface ForgedNode {
  hash: Buffer;
  sum: bigint;
}

/** Its leaves' sums may be any, below zero too, and so may its root's: whatever the forger has the nodes say. */
class ForgedTree {
  readonly levels: ForgedNode[][];

  constructor(leaves: readonly ForgedNode[]) {
    this.levels = [[...leaves]];
    while ((this.levels.at(-1)?.length ?? 0) > 1) {
      const below = this.levels.at(-1) as ForgedNode[];
      const height = this.levels.length;
      this.levels.push(
        Array.from({ length: below.length / 2 }, (_, pair) =>
          joined(height, below[2 * pair] as ForgedNode, below[2 * pair + 1] as ForgedNode),
        ),
      );
    }
  }

  get root(): ForgedNode {
    return this.levels.at(-1)?.[0] as ForgedNode;
  }

  path(index: number): { hash: string; sum: string }[] {
    return this.levels.slice(0, -1).map((level, height) => printed(level[(index >> height) ^ 1] as ForgedNode));
  }
}

const joined = (height: number, left: ForgedNode, right: ForgedNode): ForgedNode => ({
  hash: sha(
    'stablecoin-liability-node/1\n',
    Buffer.of(height),
    left.hash,
    bytesOf(left.sum),
    right.hash,
    bytesOf(right.sum),
  ),
  sum: left.sum + right.sum,
});
const printed = ({ hash, sum }: ForgedNode) => ({ hash: hash.toString('hex'), sum: printUnits(sum) });

function leafOf(context: Buffer, salt: Buffer, { wallet_id, balance, held }: Liability, sum?: bigint): ForgedNode {
  const sign = Buffer.of(balance < 0n ? 1 : 0);
  const magnitude = bytesOf(balance < 0n ? -balance : balance);
  const hash = sha('stablecoin-liability-wallet/1\n', context, salt, idOf(wallet_id), sign, magnitude, bytesOf(held));
  return { hash, sum: sum ?? owedOf({ balance, held }) };
}

interface Entry {
  salt: Buffer;
  liability?: Liability;
  /** In place of the sum that follows from the liability. */
  sum?: bigint;
}

interface Made {
  place: Omit<LiabilityStatement, 'owed'>;
  entries: Map<string, Entry[]>;
  trees: Map<string, ForgedTree>;
  note: string;
}

const entriesOf = (made: Made, currency: string) => made.entries.get(currency) as Entry[];
const treeOf = (made: Made, currency: string) => made.trees.get(currency) as ForgedTree;

/** @param change of a currency's leaves, before the tree is made */
function make(draw: Draw, change: (entries: Entry[]) => void = () => undefined): Made {
  const secret = draw.bytes();
  const form = draw.of([1, 2] as const);
  const entries = new Map(
    CURRENCIES.map((currency) => {
      const wallets = Array.from({ length: 20 + draw.below(60) }, (): Entry => {
        const liability = draw.wallet();
        return { salt: saltOf(secret, liability.wallet_id), liability };
      });
      const paddings = Array.from({ length: 2 ** DEPTH - wallets.length }, (): Entry => ({ salt: draw.bytes() }));
      return [currency, inOrder([...wallets, ...paddings])] as const;
    }),
  );
  const place = {
    form,
    origin: signer.name,
    number: 1 + draw.below(100),
    time: '2026-11-23T12:00:00.000Z',
    shards: [0, 1].map((shard) => ({ shard, size: draw.below(10_000), root: draw.bytes() })),
  };
  entries.forEach((list) => change(list));
  return signed(place, entries);
}

const inOrder = (entries: readonly Entry[]): Entry[] =>
  entries
    .map((entry) => ({ entry, place: placeOf(entry.salt) }))
    .sort((one, other) => Buffer.compare(one.place, other.place))
    .map(({ entry }) => entry);

function signed(place: Made['place'], entries: Map<string, Entry[]>, sums?: (sum: bigint) => bigint): Made {
  const trees = new Map(
    [...entries].map(([currency, list]) => [currency, new ForgedTree(leavesOf(place, currency, list))] as const),
  );
  return { place, entries, trees, note: noteOf(place, trees, sums) };
}

const leavesOf = (place: Made['place'], currency: string, list: readonly Entry[]) =>
  list.map(({ salt, liability, sum }) => {
    const context = contextOf(place, statedAs(place, currency));
    if (liability) return leafOf(context, salt, liability, sum);
    return { hash: sha('stablecoin-liability-padding/1\n', context, salt), sum: sum ?? 0n };
  });

function noteOf(place: Made['place'], trees: Map<string, ForgedTree>, sums = (sum: bigint) => sum): string {
  const owed = [...trees].map(([currency, { root }]) => {
    const wrapped = ((sums(root.sum) % MODULUS) + MODULUS) % MODULUS;
    return {
      currency: statedAs(place, currency),
      sum: wrapped > UNITS_MAX ? 0n : wrapped,
      depth: DEPTH,
      root: root.hash,
    };
  });
  return signLiabilities({ ...place, owed }, signer);
}

function documentOf(made: Made, currency: string, index: number): LiabilityDocument {
  const { salt, liability } = entriesOf(made, currency)[index] as Entry;
  const { wallet_id, balance, held } = liability as Liability;
  return {
    format: LIABILITY_FORMAT,
    wallet_id,
    currency,
    balance: printUnits(balance),
    held: printUnits(held),
    salt: salt.toString('hex'),
    index,
    path: treeOf(made, currency).path(index),
    statement: made.note,
  };
}

const ledgers: Made[] = [];
/** One of a few honest ledgers. */
const honest = (draw: Draw): Made => (ledgers[draw.below(10)] ??= make(draw));

/** A wallet that is owed something, so that changing what is said of it matters. */
function chosen(draw: Draw, made: Made, currency: string): number {
  const owed = entriesOf(made, currency).flatMap(({ liability }, index) =>
    liability && owedOf(liability) > 0n ? index : [],
  );
  return draw.of(owed);
}

const other = (currency: string) => (currency === 'USD' ? 'USDC' : 'USD');
const paddingsOf = (entries: readonly Entry[]) => entries.filter(({ liability }) => !liability);
const walletsOf = (entries: readonly Entry[]) => entries.filter(({ liability }) => liability);

/** Each makes one document that a merchant must not believe. */
const FORGERIES: Record<string, (draw: Draw, currency: string) => unknown> = {
  'a wallet is left out of the tree': (draw, currency) => {
    const made = honest(draw);
    const index = chosen(draw, made, currency);
    const without = new Map(made.entries).set(
      currency,
      entriesOf(made, currency).map((entry, at) => (at === index ? { salt: draw.bytes() } : entry)),
    );
    return { ...documentOf(made, currency, index), statement: signed(made.place, without).note };
  },
  'a padding below zero lowers the sum': (draw, currency) => {
    const made = make(draw, (entries) => {
      draw.of(paddingsOf(entries)).sum = -BigInt(1 + draw.below(1_000_000));
    });
    const document = documentOf(made, currency, nearest(entriesOf(made, currency)));
    const tampered = document.path.map((node) => ({ ...node, sum: node.sum.replace('-', '') }));
    return draw.of([document, { ...document, path: tampered }, withWrapped(document, made, currency)]);
  },
  'a wallet counts below zero': (draw, currency) => {
    const made = make(draw, (entries) => {
      const entry = draw.of(walletsOf(entries));
      entry.liability = { ...(entry.liability as Liability), balance: -5_00000000n };
      entry.sum = -5_00000000n;
    });
    return documentOf(
      made,
      currency,
      entriesOf(made, currency).findIndex(({ sum }) => sum !== undefined),
    );
  },
  'two wallets are shown one leaf': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    return { ...document, wallet_id: draw.wallet().wallet_id };
  },
  'sums are shifted between siblings': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    const at = draw.below(DEPTH);
    const by = BigInt(1 + draw.below(1_000));
    const path = document.path.map((node, height) =>
      height === at ? { ...node, sum: printUnits(unitsIn(node.sum) + by) } : node,
    );
    return { ...document, balance: printUnits(unitsIn(document.balance) - by), path };
  },
  'the sum of a sibling is understated': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    const path = document.path.map((node) => ({ ...node, sum: '0.00000000' }));
    return { ...document, path, statement: noteOf(made.place, made.trees, () => unitsIn(document.balance)) };
  },
  'the sum that is signed is another': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    return { ...document, statement: noteOf(made.place, made.trees, (sum) => sum - BigInt(1 + draw.below(1_000))) };
  },
  'siblings change sides': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    return { ...document, index: document.index ^ (1 << draw.below(DEPTH)) };
  },
  'nodes of the branch change their order': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    const path = [...document.path];
    const at = draw.below(DEPTH - 1);
    [path[at], path[at + 1]] = [path[at + 1] as (typeof path)[0], path[at] as (typeof path)[0]];
    return { ...document, path };
  },
  'the branch is cut short or prolonged': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    const path = [...document.path];
    if (draw.below(2) === 0) path.splice(draw.below(DEPTH), 1);
    else path.splice(draw.below(DEPTH), 0, path[0] as (typeof path)[0]);
    return { ...document, path };
  },
  'it is of another currency': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    if (draw.below(2) === 0) return { ...document, currency: other(currency) };
    const exchanged = new Map(CURRENCIES.map((code) => [code, treeOf(made, other(code))] as const));
    return { ...document, currency: other(currency), statement: noteOf(made.place, exchanged) };
  },
  'it is of another position, time or number': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    const { shards, number } = made.place;
    const [first, second] = shards as [(typeof shards)[0], (typeof shards)[0]];
    const place = draw.of([
      { ...made.place, shards: [{ ...first, size: first.size + 1 }, second] },
      { ...made.place, shards: [first, { ...second, root: draw.bytes() }] },
      { ...made.place, shards: [first] },
      { ...made.place, number: number + 1 },
      { ...made.place, time: '2026-11-23T13:00:00.000Z' },
    ]);
    return { ...document, statement: noteOf(place, made.trees) };
  },
  'a padding passes for a wallet': (draw, currency) => {
    const made = honest(draw);
    const entries = entriesOf(made, currency);
    const index = draw.of(entries.flatMap(({ liability }, at) => (liability ? [] : at)));
    const liability = { wallet_id: draw.wallet().wallet_id, balance: 0n, held: 0n };
    const list = entries.map((entry, at) => (at === index ? { ...entry, liability } : entry));
    const shown = { ...made, entries: new Map(made.entries).set(currency, list) };
    return documentOf(shown, currency, index);
  },
  'a node passes for a leaf': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    return { ...document, index: document.index >> 1, path: document.path.slice(1) };
  },
  'a sum overflows': (draw, currency) => {
    const made = make(draw, (entries) => {
      draw.of(paddingsOf(entries)).sum = draw.of([UNITS_MAX, UNITS_MAX + 1n, MODULUS - 1n, MODULUS]);
    });
    const entries = entriesOf(made, currency);
    const high = entries.findIndex(({ sum }) => sum !== undefined);
    const near = entries.flatMap(({ liability }, at) => (liability && at !== high && owedOf(liability) > 0n ? at : []));
    return documentOf(made, currency, draw.of(near));
  },
  'the balance is another': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    return { ...document, balance: printUnits(unitsIn(document.balance) + BigInt(1 + draw.below(1_000))) };
  },
  'money moves between balance and held': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    return {
      ...document,
      balance: '0.00000000',
      held: printUnits(unitsIn(document.balance) + unitsIn(document.held)) + '',
    };
  },
  'an amount has another spelling': (draw, currency) => {
    const made = honest(draw);
    const document = documentOf(made, currency, chosen(draw, made, currency));
    const spelling = draw.of([
      (amount: string) => `0${amount}`,
      (amount: string) => `+${amount}`,
      (amount: string) => amount.slice(0, -1),
      (amount: string) => `${amount} `,
      (amount: string) => Number(amount),
    ]);
    const path = document.path.map((node) => ({ ...node, sum: spelling(node.sum) }));
    return { ...document, path };
  },
  'the salt is another': (draw, currency) => {
    const made = honest(draw);
    return { ...documentOf(made, currency, chosen(draw, made, currency)), salt: draw.bytes().toString('hex') };
  },
  'a key that is not trusted has signed': (draw, currency) => {
    const made = honest(draw);
    const another = new NoteSigner(signer.name, draw.bytes());
    const statement = signLiabilities(readLiabilities(made.note) as LiabilityStatement, another);
    return { ...documentOf(made, currency, chosen(draw, made, currency)), statement };
  },
};

/**
 * The wallet in whose branch the changed padding stands, alone or with others: there is always one. All other owners only see
 * sums that are too low and can't know it.
 */
function nearest(entries: readonly Entry[]): number {
  const low = entries.findIndex(({ sum }) => sum !== undefined);
  const distances = entries.flatMap(({ liability }, at) =>
    liability ? { at, height: 32 - Math.clz32(at ^ low) } : [],
  );
  return distances.reduce((best, one) => (one.height < best.height ? one : best)).at;
}

const unitsIn = (amount: string) => BigInt(amount.replace('.', ''));

/** Each sum below zero as the number that wraps around to it. */
function withWrapped(document: LiabilityDocument, made: Made, currency: string): LiabilityDocument {
  const path = document.path.map((node, height) => {
    const { sum } = treeOf(made, currency).levels[height]?.[(document.index >> height) ^ 1] as ForgedNode;
    return { ...node, sum: printUnits(((sum % MODULUS) + MODULUS) % MODULUS) };
  });
  return { ...document, path };
}

/** The second verifier: from the root down, without a line of the first one. */
function isSound(document: Record<string, unknown>): boolean {
  const amount = /^-?(0|[1-9]\d{0,29})\.\d{8}$/;
  const { wallet_id, currency, balance, held, salt, index, path, statement, format } =
    document as unknown as LiabilityDocument;
  const shaped =
    format === LIABILITY_FORMAT &&
    amount.test(balance) &&
    amount.test(held) &&
    !held.startsWith('-') &&
    path.every(({ sum }) => typeof sum === 'string' && amount.test(sum) && !sum.startsWith('-'));
  if (!shaped || typeof statement !== 'string') return false;
  const [text = '', signatures = ''] = statement.split('\n\n');
  const [, name = '', signature = ''] = signatures.trim().split(' ');
  if (new NoteSigner(name, Buffer.alloc(32, 4)).sign(`${text}\n`).split('\n\n')[1]?.split(' ')[2]?.trim() !== signature)
    return false;
  const lines = text.split('\n');
  const owes = lines.find((line) => [currency, `${currency}/test`].includes(line.split(' ')[1] ?? ''))?.split(' ');
  if (!owes) return false;
  const [, stated = '', sum = '', depth, root = ''] = owes;
  if (path.length !== Number(depth) || index >= 2 ** path.length) return false;
  const place = lines
    .filter((line) => !line.startsWith('owes '))
    .map((line) => `${line}\n`)
    .join('');
  const context = sha('stablecoin-liability-context/1\n', `${place}${stated}\n`);
  const own = leafOf(context, Buffer.from(salt, 'hex'), { wallet_id, balance: unitsIn(balance), held: unitsIn(held) });
  const at = (height: number): ForgedNode => {
    if (height === 0) return own;
    const beside = path[height - 1] as { hash: string; sum: string };
    const sibling = { hash: Buffer.from(beside.hash, 'hex'), sum: unitsIn(beside.sum) };
    const node = at(height - 1);
    return ((index >> (height - 1)) & 1) === 1 ? joined(height, sibling, node) : joined(height, node, sibling);
  };
  const top = at(path.length);
  const isBound = [own, ...path.map((node) => ({ sum: unitsIn(node.sum) })), top].every(
    (node) => node.sum <= UNITS_MAX,
  );
  return isBound && top.hash.equals(Buffer.from(root, 'base64')) && top.sum === unitsIn(sum);
}

const FORGED = 1_000;

describe('a thousand forged trees and branches', () => {
  const kinds = Object.keys(FORGERIES);
  const each = Math.ceil(FORGED / kinds.length);

  it.each(kinds)('are refused: %s', (kind) => {
    const draw = new Draw();
    for (let count = 0; count < each; count += 1) {
      const document = FORGERIES[kind]?.(draw, draw.of(CURRENCIES));
      expect(() => verifyLiability(document, keys)).toThrow(ProofRefused);
      expect(isSound(document as Record<string, unknown>)).toBe(false);
    }
  });

  it('while honest ones prove what they say', () => {
    const draw = new Draw();
    for (let count = 0; count < 50; count += 1) {
      const made = honest(draw);
      const currency = draw.of(CURRENCIES);
      const index = chosen(draw, made, currency);
      const document = documentOf(made, currency, index);
      const { liability } = entriesOf(made, currency)[index] as Entry;
      const proved = verifyLiability(document, keys);
      expect(proved).toMatchObject({ liability, owed: owedOf(liability as Liability), currency });
      expect(proved.stated.currency).toBe(statedAs(made.place, currency));
      expect(proved.stated.sum).toBe(treeOf(made, currency).root.sum);
      expect(isSound({ ...document })).toBe(true);
    }
  });

  it('and the key of a shard’s checkpoints, in the form of signed notes, is the same key', () => {
    const draw = new Draw();
    const made = honest(draw);
    const { verifierKey } = new NoteSigner('ledger.test/shard/3', Buffer.alloc(32, 4));
    const document = documentOf(made, 'USD', chosen(draw, made, 'USD'));
    const named = parseTrustedKey(verifierKey);
    expect(verifyLiability({ status: 'success', data: document }, named ? [named] : []).currency).toBe('USD');
    const elsewhere = parseTrustedKey(new NoteSigner('other.test/shard/3', Buffer.alloc(32, 4)).verifierKey);
    expect(() => verifyLiability(document, elsewhere ? [elsewhere] : [])).toThrow('no valid signature');
  });
});
