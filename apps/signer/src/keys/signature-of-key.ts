import { secp256k1 } from '@noble/curves/secp256k1';
import { bytesToHex, recoverPublicKey } from 'viem/utils';
import type { Hex, Signature } from '../rules/transfer-transaction';

const ORDER = secp256k1.Point.Fn.ORDER;
const PARITIES = [0, 1] as const;

/**
 * A signature as a transaction carries it. Both s and n − s are valid, and chains take the lower one only (EIP-2); which of
 * the two points R was is found by trying which recovers the key.
 *
 * @throws Error where neither does: the signature is of another key or another digest
 */
export async function signatureOfKey(
  signature: InstanceType<typeof secp256k1.Signature>,
  digest: Uint8Array,
  publicKey: Uint8Array,
): Promise<Signature> {
  const r = hex(signature.r);
  const s = hex(signature.hasHighS() ? ORDER - signature.s : signature.s);
  const key = bytesToHex(secp256k1.Point.fromBytes(publicKey).toBytes(false));
  for (const yParity of PARITIES) {
    const low = { r, s, yParity };
    if ((await recoveredKey(low, digest)) === key) return low;
  }
  throw new Error('A signature is not by the key that was asked for');
}

/** A signature that this process has made: which of the points R was is known, and s is the lower one. */
export function ownSignature({ r, s, recovery }: InstanceType<typeof secp256k1.Signature>): Signature {
  if (recovery !== 0 && recovery !== 1) throw new Error('A signature was made without its parity');
  return { r: hex(r), s: hex(s), yParity: recovery };
}

async function recoveredKey(signature: Signature, hash: Uint8Array): Promise<Hex | undefined> {
  try {
    return await recoverPublicKey({ hash, signature });
  } catch {
    return undefined; // There is no such point.
  }
}

const hex = (scalar: bigint) => bytesToHex(Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex'));
