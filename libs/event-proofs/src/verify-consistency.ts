import { readCheckpoint, VerifiedCheckpoint, verifyCheckpoint } from './checkpoint';
import { isConsistent } from './merkle-tree';
import { CONSISTENCY_FORMAT, hashesOf, isObject, unwrapped } from './proof-documents';
import { TrustedKey } from './signed-note';
import { ProofRefused } from './proven-events';

/**
 * Checks that the log of a kept checkpoint is the beginning of the log of a later one: no event that was signed then
 * has been changed, removed or moved since.
 *
 * @param kept the signed note that was kept
 * @throws ProofRefused
 */
export function verifyConsistency(
  kept: string,
  document: unknown,
  keys: readonly TrustedKey[],
): { old: VerifiedCheckpoint; new: VerifiedCheckpoint } {
  const proof = unwrapped(document);
  if (!isObject(proof) || proof['format'] !== CONSISTENCY_FORMAT) {
    throw new ProofRefused(`it is no document of the form ${CONSISTENCY_FORMAT}`);
  }
  const old = believed('the checkpoint that was kept', kept, keys);
  const shown = believed('the new checkpoint', String(proof['new']), keys);
  const start = readCheckpoint(String(proof['old']));
  if (start?.size !== old.size || old.origin !== shown.origin) {
    throw new ProofRefused('the document begins from another checkpoint than the one that was kept');
  }
  const path = hashesOf(proof['path']);
  const sizes = { oldSize: old.size, oldRoot: old.root, newSize: shown.size, newRoot: shown.root };
  if (!path || !isConsistent({ ...sizes, path })) {
    throw new ProofRefused(`the log of ${old.size} events is not the beginning of the one of ${shown.size}`);
  }
  return { old, new: shown };
}

function believed(which: string, note: string, keys: readonly TrustedKey[]): VerifiedCheckpoint {
  const checkpoint = verifyCheckpoint(note, keys);
  if (typeof checkpoint === 'string') throw new ProofRefused(`${which}: ${checkpoint}`);
  return checkpoint;
}
