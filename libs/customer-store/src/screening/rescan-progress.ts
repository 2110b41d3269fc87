/**
 * How far the past has been held against a list: the number of the last screening, and a MAC over list and number. Who has the
 * service's database login can write another number, and no MAC for it: the past is then held against the list from its beginning.
 */
import { PersonalData } from '../personal-data';

/** As it stands in `screening_lists.rescan_proof`. */
export const rescanProof = (personalData: PersonalData, listId: string, reached: bigint): string =>
  `${reached}.${personalData.rescanIndex(listId, reached)}`;

/** @returns 0 for a proof that the service did not make */
export function rescanReached(personalData: PersonalData, listId: string, proof: string | null): bigint {
  const reached = BigInt(/^\d{1,18}(?=\.)/.exec(proof ?? '')?.[0] ?? 0);
  return proof === rescanProof(personalData, listId, reached) ? reached : 0n;
}
