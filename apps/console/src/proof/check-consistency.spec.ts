/** The browser's verifier and that of libs/event-proofs, on the same documents: both have to come to the same end. */
import { signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { leafHash, nodeHash } from '@stablecoin/event-proofs/merkle-tree';
import { CONSISTENCY_FORMAT } from '@stablecoin/event-proofs/proof-documents';
import { ProofRefused } from '@stablecoin/event-proofs/proven-events';
import { parseTrustedKey, type TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { consistencyPath, Tile } from '@stablecoin/event-proofs/tree-proofs';
import { verifyConsistency } from '@stablecoin/event-proofs/verify-consistency';
import fc from 'fast-check';
import { OTHER_SIGNER, SIGNER } from '../testing/signed-proof';
import { checkConsistency } from './check-consistency';
import { readPublicKey } from './signed-checkpoint';

const SIZE_MAX = 70;
const KEY = SIGNER.publicKey.toString('base64');
const LEAVES = Array.from({ length: SIZE_MAX }, (_, place) => leafHash(Buffer.from(`event ${place}`)));

const splitOf = (count: number) => 2 ** Math.ceil(Math.log2(count) - 1);
const rootOf = (leaves: readonly Buffer[]): Buffer =>
  leaves.length === 1
    ? (leaves[0] as Buffer)
    : nodeHash(rootOf(leaves.slice(0, splitOf(leaves.length))), rootOf(leaves.slice(splitOf(leaves.length))));
const signed = (size: number, signer = SIGNER, leaves = LEAVES) =>
  signCheckpoint({ size, root: rootOf(leaves.slice(0, size)), time: '2026-01-31T09:00:00.000Z' }, signer);

async function documentOf(from: number, to: number) {
  const path = await consistencyPath(() => Promise.resolve(new Tile(LEAVES.slice(0, to))), from, to);
  return {
    format: CONSISTENCY_FORMAT,
    old: signed(from),
    new: signed(to),
    path: path.map((hash) => hash.toString('hex')),
  };
}

async function verdicts(kept: string, document: unknown, key = KEY) {
  const refused = (error: unknown) => {
    if (error instanceof ProofRefused) return 'refused';
    throw error;
  };
  const trusted = parseTrustedKey(key) as TrustedKey;
  const here = await checkConsistency(kept, document, await readPublicKey(key)).then(() => 'holds', refused);
  const there = await Promise.resolve()
    .then(() => (verifyConsistency(kept, document, [trusted]), 'holds'))
    .catch(refused);
  return { here, there };
}

const HOLDS = { here: 'holds', there: 'holds' };
const REFUSED = { here: 'refused', there: 'refused' };

it('holds from every size to every later one', async () => {
  for (let from = 1; from <= SIZE_MAX; from += 3)
    for (let to = from; to <= SIZE_MAX; to += 7)
      expect(await verdicts(signed(from), await documentOf(from, to))).toEqual(HOLDS);
});

it('is refused where an event was changed, removed or moved since', async () => {
  const document = await documentOf(40, 70);
  for (const change of [
    (leaves: Buffer[]) => (leaves[3] = leafHash(Buffer.from('another'))),
    (leaves: Buffer[]) => leaves.splice(3, 1),
    (leaves: Buffer[]) => leaves.unshift(leaves.splice(3, 1)[0] as Buffer),
  ]) {
    const leaves = LEAVES.slice(0, 40).concat(LEAVES.slice(0, 1));
    change(leaves);
    expect(await verdicts(signed(40, SIGNER, leaves), document)).toEqual(REFUSED);
  }
});

it('is refused by another key, with another beginning, and for another form', async () => {
  const document = await documentOf(40, 70);
  expect(await verdicts(signed(40), document, OTHER_SIGNER.publicKey.toString('base64'))).toEqual(REFUSED);
  expect(await verdicts(signed(41), document)).toEqual(REFUSED);
  expect(await verdicts(signed(40), { ...document, format: 'another/1' })).toEqual(REFUSED);
  expect(await verdicts(signed(40), { ...document, path: document.path.slice(1) })).toEqual(REFUSED);
  expect(await verdicts(signed(40), { ...document, path: [...document.path, document.path[0]] })).toEqual(REFUSED);
  expect(await verdicts(signed(70), { ...document, old: signed(70), new: signed(40) })).toEqual(REFUSED);
});

it('without a key says that no signature was checked', async () => {
  expect((await checkConsistency(signed(40), await documentOf(40, 70), undefined)).isSignatureChecked).toBe(false);
});

it('has the same verdict wherever a byte of the path or the newer checkpoint is another', async () => {
  const { old, ...rest } = await documentOf(40, 70);
  const text = JSON.stringify(rest);
  const parsed = (changed: string): unknown => {
    try {
      return JSON.parse(changed);
    } catch {
      return undefined;
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('0', 'a', '"', 'Z', '='), async (place, letter) => {
      const document = parsed(text.slice(0, place) + letter + text.slice(place + 1));
      if (typeof document !== 'object') return;
      const { here, there } = await verdicts(old, { ...document, old });
      expect(here).toEqual(there);
    }),
    { numRuns: 300 },
  );
});
