/**
 * Checks in the browser that a log has only grown between two signed checkpoints: RFC 6962's consistency proof, by Web Crypto. The
 * verifier of libs/event-proofs and this one have to agree.
 */
import { CONSISTENCY_FORMAT, isObject, unwrapped } from '@stablecoin/event-proofs/proof-documents';
import { refuse } from '@stablecoin/event-proofs/proven-events';
import { areEqual, type Bytes, fromHex, sha256 } from './bytes';
import { type Checkpoint, isSignedBy, type PublicKey, readCheckpoint } from './signed-checkpoint';

const NODE = Uint8Array.of(1);

export interface CheckedGrowth {
  old: Checkpoint;
  new: Checkpoint;
  isSignatureChecked: boolean;
}

/**
 * @param kept the older signed note, as the person was shown it
 * @param key that the person trusts; without one everything but the signatures is checked
 * @throws ProofRefused with one sentence on why it proves nothing
 */
export async function checkConsistency(
  kept: string,
  document: unknown,
  key: PublicKey | undefined,
): Promise<CheckedGrowth> {
  const proof = unwrapped(document);
  if (!isObject(proof) || proof['format'] !== CONSISTENCY_FORMAT) refuse('it is no proof of that form');
  const [old, grown] = [await believed('older', kept, key), await believed('newer', String(proof['new']), key)];
  const start = readCheckpoint(String(proof['old']));
  if (start?.size !== old.size || old.origin !== grown.origin) refuse('it begins from another checkpoint');
  const listed = proof['path'];
  const path = Array.isArray(listed) ? listed.map(fromHex) : [undefined];
  if (path.includes(undefined)) refuse('its path is no list of hashes');
  if (!(await hasOnlyGrown(old, grown, path as Bytes[]))) {
    refuse(`the log of ${old.size} events is not the beginning of the one of ${grown.size}`);
  }
  return { old, new: grown, isSignatureChecked: key !== undefined };
}

async function believed(which: string, note: string, key: PublicKey | undefined): Promise<Checkpoint> {
  const checkpoint = readCheckpoint(note);
  if (checkpoint === undefined) refuse(`the ${which} checkpoint is none`);
  if (key !== undefined && !(await isSignedBy(checkpoint, key))) {
    refuse(`the ${which} checkpoint has no valid signature by the key that you gave`);
  }
  return checkpoint;
}

/** RFC 6962, 2.1.2: both roots follow from the path. */
async function hasOnlyGrown(from: Checkpoint, to: Checkpoint, path: readonly Bytes[]): Promise<boolean> {
  if (from.size > to.size) return false;
  if (from.size === to.size) return path.length === 0 && areEqual(from.root, to.root);
  if (from.size === 0) return path.length === 0 && areEqual(from.root, await sha256());
  let [place, last] = [from.size - 1, to.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  // An old tree that is complete is a node of the new one; the proof leaves it out.
  const [start, ...rest] = place === 0 ? [from.root, ...path] : path;
  if (start === undefined) return false;
  let [old, grown] = [start, start];
  for (const beside of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      [old, grown] = await Promise.all([sha256(NODE, beside, old), sha256(NODE, beside, grown)]);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      grown = await sha256(NODE, grown, beside);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && areEqual(old, from.root) && areEqual(grown, to.root);
}

/** A shift would truncate to 32 bits. */
const half = (value: number) => Math.floor(value / 2);
