/**
 * Cosignatures (c2sp.org/tlog-cosignature, `cosignature/v1`): a witness states that at this time the checkpoint is of the
 * largest tree that it has seen of this log, and that it extends all that it had seen before. It stands as one more line
 * under the checkpoint. Ed25519 only.
 *
 *   — witness.example/w1 base64( 4 bytes key id, 8 bytes seconds since 1970, 64 bytes signature )
 */
import { createHash } from 'node:crypto';
import { isSignature, keyIdOf, NoteSigner, parseNote, parseVerifierKey } from './signed-note';

const COSIGNATURE = Buffer.from([4]);
const TIME_BYTES = 8;

export interface WitnessKey {
  name: string;
  publicKey: Buffer;
}

export class Cosigner {
  private readonly signer: NoteSigner;
  readonly keyId: string;

  /**
   * @param name of the witness
   * @param seed 32 bytes: the private key of Ed25519, which signs nothing else
   */
  constructor(
    readonly name: string,
    seed: Buffer,
  ) {
    this.signer = new NoteSigner(name, seed);
    this.keyId = keyIdOf(name, this.signer.publicKey, COSIGNATURE);
  }

  get verifierKey(): string {
    return `${this.name}+${this.keyId}+${Buffer.concat([COSIGNATURE, this.signer.publicKey]).toString('base64')}`;
  }

  /** @returns the line, with its line feed */
  cosign(checkpoint: string, at: Date): string {
    const seconds = Math.floor(at.getTime() / 1_000);
    const signature = this.signer.signature(cosigned(parseNote(checkpoint)?.text ?? '', seconds));
    const time = Buffer.alloc(TIME_BYTES);
    time.writeBigUInt64BE(BigInt(seconds));
    const all = Buffer.concat([Buffer.from(this.keyId, 'hex'), time, signature]);
    return `— ${this.name} ${all.toString('base64')}\n`;
  }
}

/** Reads a witness's key in the form `name+id+base64`; undefined if it is none. */
export const parseWitnessKey = (text: string): WitnessKey | undefined => parseVerifierKey(text, COSIGNATURE);

/** When the witness has cosigned the checkpoint; undefined if no line under it is a valid cosignature by this key. */
export function cosignedAt(checkpoint: string, { name, publicKey }: WitnessKey): Date | undefined {
  const note = parseNote(checkpoint);
  const keyId = keyIdOf(name, publicKey, COSIGNATURE);
  for (const line of note?.signatures ?? []) {
    if (line.name !== name || line.keyId !== keyId || line.signature.length <= TIME_BYTES) continue;
    const seconds = Number(line.signature.readBigUInt64BE());
    const text = cosigned(note?.text ?? '', seconds);
    if (isSignature(text, line.signature.subarray(TIME_BYTES), publicKey)) return new Date(seconds * 1_000);
  }
  return undefined;
}

/** How a log is called where witnesses are asked for it. */
export const originHash = (origin: string): string => createHash('sha256').update(origin).digest('hex');

const cosigned = (text: string, seconds: number) => `cosignature/v1\ntime ${seconds}\n${text}`;
