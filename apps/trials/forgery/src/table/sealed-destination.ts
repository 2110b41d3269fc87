/** The destination of a payout, as the log has it, and what opens it. */
import { PAYOUT_DESTINATION_FIELD } from '@stablecoin/contracts/wallet/views';
import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { PersonalDataUnreadable } from '@stablecoin/personal-data/sealed-bytes';
import type { Site } from '../ground/site';
import type { Evidence } from '../judging/expectation';

export async function destinationInTheLog({ databases, people: { ada } }: Pick<Site, 'databases' | 'people'>) {
  const [found] = await databases.ledger.rows<{ customer_id: string; sealed: string }>(
    `SELECT customer_id, sealed_destination AS sealed FROM transactions WHERE id = '${ada.payoutId}'`,
  );
  if (!found) throw new Error('the payout is not there');
  return found;
}

interface Tried {
  customer_id: string;
  sealed: string;
  /** Where he has it. */
  wrapped_data_key?: string;
  /** Whatever may be a key: in base64. */
  texts: readonly (string | undefined)[];
}

/** Each as a master key, as a data key and as what a sealing key follows from. */
export function opensNothing({ customer_id, sealed, wrapped_data_key, texts }: Tried): Evidence {
  const keys = texts.map((text) => Buffer.from(text ?? '', 'base64')).filter(({ length }) => length === 32);
  const seals = keys.flatMap((key) => [
    ...(wrapped_data_key === undefined
      ? []
      : [() => OwnerSeal.unwrap(new MasterKeys(key), customer_id, wrapped_data_key)]),
    () => new OwnerSeal(customer_id, key),
  ]);
  for (const sealOf of seals) {
    try {
      return { became: 'unseen', what: JSON.stringify(sealOf().open(PAYOUT_DESTINATION_FIELD, sealed)) };
    } catch (error) {
      if (!(error instanceof PersonalDataUnreadable)) throw error;
    }
  }
  return { became: 'refused', by: 'encryption', error: `each of ${keys.length} keys opens nothing` };
}
