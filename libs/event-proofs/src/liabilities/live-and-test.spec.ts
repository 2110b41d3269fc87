import { NoteSigner } from '../signed-note';
import {
  contextOf,
  liabilitiesOriginOf,
  LiabilityPlace,
  LiabilityStatement,
  readLiabilities,
  signLiabilities,
  verifyLiabilities,
} from './liability-statement';
import { paddingLeaf, printUnits, saltOf, subtree, walletLeaf } from './sum-tree';
import { LIABILITY_FORMAT, verifyLiability } from './verify-liability';

const signer = new NoteSigner(liabilitiesOriginOf('ledger.test'), Buffer.alloc(32, 4));
const keys = [{ publicKey: signer.publicKey }];
const DEPTH = 8;
const placeOf = (form: LiabilityPlace['form']): LiabilityPlace => ({
  ...{ form, origin: signer.name, number: 3, time: '2026-12-05T12:00:00.000Z' },
  shards: [{ shard: 0, size: 9, root: Buffer.alloc(32, 1) }],
});

/** The tree of one wallet. */
function treeOf(place: LiabilityPlace, currency: string, balance: bigint) {
  const wallet_id = `00000000-0000-4000-8000-00000000000${balance}`;
  const [context, salt] = [contextOf(place, currency), saltOf(Buffer.alloc(32), wallet_id)];
  const padding = Array.from({ length: 2 ** DEPTH - 1 }, () => paddingLeaf(context, Buffer.alloc(32)));
  const { root, path } = subtree([walletLeaf(context, salt, { wallet_id, balance, held: 0n }), ...padding], 0);
  const document = {
    ...{ format: LIABILITY_FORMAT, wallet_id, currency: 'USD', balance: printUnits(balance), held: printUnits(0n) },
    ...{ salt: salt.toString('hex'), index: 0 },
    path: path.map(({ hash, sum }) => ({ hash: hash.toString('hex'), sum: printUnits(sum) })),
  };
  return { stated: { currency, sum: root.sum, depth: DEPTH, root: root.hash }, document };
}

const place = placeOf(2);
const [live, test] = [treeOf(place, 'USD', 5n), treeOf(place, 'USD/test', 7n)];
const honest: LiabilityStatement = { ...place, owed: [live.stated, test.stated] };
const shown = ({ document }: typeof live, statement = honest) => ({
  ...document,
  statement: signLiabilities(statement, signer),
});

it('says what is owed to live merchants alone, and beside it what is owed to those with test keys', () => {
  const note = signLiabilities(honest, signer);
  const owed = note.split('\n').filter((line) => line.startsWith('owes '));
  expect(owed.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
    'owes USD 0.00000005',
    'owes USD/test 0.00000007',
  ]);
  expect(verifyLiabilities(note, keys)).toMatchObject(honest);
});

it('a wallet is proved to be counted in one of the two, and which', () => {
  expect(verifyLiability(shown(live), keys)).toMatchObject({ currency: 'USD', stated: live.stated });
  expect(verifyLiability(shown(test), keys)).toMatchObject({ currency: 'USD', stated: test.stated });
  const onlyTest = { ...honest, owed: [test.stated] };
  expect(verifyLiability(shown(test, onlyTest), keys)).toMatchObject({ stated: test.stated });
  expect(() => verifyLiability(shown(live, onlyTest), keys)).toThrow('not the sum that was signed');
});

it('the tree of one does not pass for that of the other', () => {
  const exchanged = {
    ...honest,
    owed: [
      { ...test.stated, currency: 'USD' },
      { ...live.stated, currency: 'USD/test' },
    ],
  };
  for (const one of [live, test]) expect(() => verifyLiability(shown(one, exchanged), keys)).toThrow();
  // Nor does a document choose: its currency is a code.
  expect(() => verifyLiability({ ...shown(test), currency: 'USD/test' }, keys)).toThrow(
    'says nothing of this currency',
  );
});

it('statements of the first form are read as ever, and have no sum of test merchants', () => {
  const first = placeOf(1);
  const tree = treeOf(first, 'USD', 5n);
  const note = signLiabilities({ ...first, owed: [tree.stated] }, signer);
  expect(note).toMatch(/^ledger.test\/liabilities\nstablecoin-liabilities\/1\nnumber 3\n/);
  expect(verifyLiability({ ...tree.document, statement: note }, keys)).toMatchObject({ stated: { currency: 'USD' } });
  expect(contextOf(first, 'USD').equals(contextOf(place, 'USD'))).toBe(false);
  const mixed = signLiabilities({ ...first, owed: [tree.stated, test.stated] }, signer);
  expect(readLiabilities(mixed)).toBeUndefined();
  expect(readLiabilities(note.replace('liabilities/1\n', 'liabilities/3\n'))).toBeUndefined();
});
