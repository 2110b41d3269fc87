import { Hex } from '@stablecoin/chain-node/chain-node';
import { Deposit } from '../deposits/deposit';
import { addressOf, hashOf } from '../testing/simulated-chain';
import { decideDeposits, WalkedChange } from './decide-deposits';
import { Sighting } from './sightings';

const TOKEN = addressOf('token');
const [A, B] = [hashOf('block a'), hashOf('block b')];
const credit = {
  ...({ currency: 'USDT', amount: '5.00000000', restUnits: 0n, confirmationsRequired: null } as const),
  ...{ walletId: 'w', merchantId: 'm', shard: 1, unrecognisedReason: null },
};
const sighting = (blockNumber: number, blockHash: Hex, over: { to?: Hex; units?: bigint } = {}): Sighting => ({
  transfer: {
    ...{ transactionHash: hashOf('transaction'), token: TOKEN, ordinal: 0, from: addressOf('x') },
    ...{ to: addressOf('ours'), units: 5_000_000n, blockNumber, blockHash },
    ...over,
  },
  credit,
});
const change = (over: Partial<WalkedChange>): WalkedChange => ({
  ...{ network: 'erc20', replaced: new Set(), sightings: [], heights: undefined },
  ...over,
});
const seenIn = (number: number, hash: Hex, over: Partial<Deposit> = {}): Deposit => {
  const [deposit] = decideDeposits([], change({ sightings: [sighting(number, hash)] })).opened;
  return { ...(deposit as Deposit), ...over };
};
const heights = (finalized: number, agreed = finalized) => ({ finalized, agreed });

it('opens a deposit at first sight, which is not final', () => {
  const { opened, moved } = decideDeposits([], change({ sightings: [sighting(5, A)], heights: heights(4, 5) }));
  expect(opened).toEqual([expect.objectContaining({ standing: 'included', booked: 'nothing', round: 0 })]);
  expect(moved).toEqual([]);
});

it('opens it as final where its block is', () => {
  const { opened } = decideDeposits([], change({ sightings: [sighting(5, A)], heights: heights(5) }));
  expect(opened).toEqual([expect.objectContaining({ standing: 'final' })]);
});

it.each([
  ['nothing, while the nodes do not agree', undefined, 'included'],
  ['not before its block is final', heights(4, 90), 'included'],
  ['with the block that is final', heights(5, 90), 'final'],
] as const)('becomes final: %s', (_when, known, standing) => {
  const deposit = seenIn(5, A);
  const { moved } = decideDeposits([deposit], change({ heights: known }));
  expect([deposit, ...moved].at(-1)?.standing).toBe(standing);
});

it('is final after its own number of confirmations, where it has one', () => {
  const deposit = seenIn(5, A, { confirmationsRequired: 3 });
  expect(decideDeposits([deposit], change({ heights: heights(0, 6) })).moved).toEqual([]);
  expect(decideDeposits([deposit], change({ heights: heights(0, 7) })).moved[0]?.standing).toBe('final');
});

it('is orphaned with its block, and gone once a final block is as high', () => {
  const replaced = new Set([A]);
  const [orphaned] = decideDeposits([seenIn(5, A)], change({ replaced, heights: heights(4) })).moved;
  expect(orphaned?.standing).toBe('orphaned');
  const [gone] = decideDeposits([orphaned as Deposit], change({ heights: heights(5), settled: heights(5) })).moved;
  expect(gone?.standing).toBe('gone');
});

it.each([
  ['what became final since the newest walked block was asked for', heights(5), heights(4)],
  ['what is final while newer blocks are not walked', heights(5), undefined],
  ['what was final before blocks were replaced', heights(4), heights(5)],
])('is not gone by %s: its transfer may be in a later block', (_what, known, settled) => {
  const orphaned = seenIn(5, A, { standing: 'orphaned' });
  expect(decideDeposits([orphaned], change({ heights: known, settled })).moved).toEqual([]);
});

it('is gone where a final block does not have it', () => {
  const [known, other] = [seenIn(5, A), seenIn(5, A, { id: 'another', transactionHash: hashOf('another') })];
  const { moved } = decideDeposits(
    [known, other],
    change({ heights: heights(5), settled: heights(5), absent: new Set([known.id]) }),
  );
  expect(moved.map(({ id, standing }) => [id, standing])).toEqual([
    [known.id, 'gone'],
    ['another', 'final'],
  ]);
});

it('is the same deposit in another block', () => {
  const known = seenIn(5, A, { booked: 'recorded' });
  const { opened, moved } = decideDeposits(
    [known],
    change({ replaced: new Set([A]), sightings: [sighting(6, B)], heights: heights(5) }),
  );
  expect(opened).toEqual([]);
  expect(moved).toEqual([{ ...known, blockNumber: 6, blockHash: B, standing: 'included' }]);
});

it('is the same deposit when the block itself comes back', () => {
  const orphaned = seenIn(5, A, { standing: 'orphaned' });
  expect(decideDeposits([orphaned], change({ sightings: [sighting(5, A)] })).moved[0]?.standing).toBe('included');
});

it('is not touched by a second look at its block', () => {
  const final = seenIn(5, A, { standing: 'final' });
  expect(decideDeposits([final], change({ sightings: [sighting(5, A)] }))).toEqual({
    ...{ opened: [], moved: [], finalityBroken: [] },
  });
});

it('is a further round when it comes again after it was gone', () => {
  const gone = seenIn(5, A, { standing: 'gone', booked: 'failed' });
  const { opened, moved } = decideDeposits([gone], change({ sightings: [sighting(9, B)] }));
  expect(opened).toEqual([expect.objectContaining({ round: 1, booked: 'nothing', standing: 'included' })]);
  expect(opened[0]?.id).not.toBe(gone.id);
  expect(moved).toEqual([]);
});

it.each([{ to: addressOf('another of ours') }, { units: 4n }])(
  'is a further round where the transaction, made anew, pays something else: %#',
  (over) => {
    const known = seenIn(5, A);
    const { opened, moved } = decideDeposits(
      [known],
      change({ replaced: new Set([A]), sightings: [sighting(5, B, over)] }),
    );
    expect(opened).toEqual([expect.objectContaining({ ...over, round: 1 })]);
    expect(moved).toEqual([expect.objectContaining({ id: known.id, standing: 'orphaned' })]);
  },
);

it('tells of finality that is broken, and takes the deposit for orphaned', () => {
  const final = seenIn(5, A, { standing: 'final', booked: 'completed' });
  const { moved, finalityBroken } = decideDeposits([final], change({ replaced: new Set([A]) }));
  expect(moved).toEqual([{ ...final, standing: 'orphaned' }]);
  expect(finalityBroken).toEqual([expect.objectContaining({ id: final.id })]);
});

it('keeps a deposit that is gone from coming back with its old block', () => {
  const gone = seenIn(5, A, { standing: 'gone', booked: 'reversed' });
  expect(decideDeposits([gone], change({ replaced: new Set([A]) })).moved).toEqual([]);
});
