/**
 * Where a witness is, as settings and options name it:
 *
 *   file:/mnt/elsewhere/witness                                   a directory
 *   https://witness.example.com#witness.example.com+0a1b2c3d+BD…   a server, and its public key
 */
import { parseWitnessKey } from '@stablecoin/event-proofs/cosignature';
import { HttpWitness } from './http-witness';
import { Witness } from './witness';
import { WitnessBook } from './witness-book';

/** @throws saying what is expected */
export function witnessAt(address: string): Witness {
  const [, directory] = /^file:(\/[^\0]{1,1000})$/.exec(address) ?? [];
  if (directory) return new WitnessBook({ directory });
  const [, url = '', encoded = ''] = /^(https?:\/\/[^\s#?]{1,1000}?)\/?#(\S+)$/.exec(address) ?? [];
  const key = parseWitnessKey(encoded);
  if (!key || !URL.canParse(url))
    throw new Error('file:/DIRECTORY, or a URL, # and the public key of the witness (name+id+base64)');
  return new HttpWitness(url, key);
}
