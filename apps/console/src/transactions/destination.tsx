import type { Transaction } from '../api/client';
import { Fact } from '../shell/fact';
import { NETWORK_WORDS } from './words';

type Bank = 'bank_name' | 'bank_code' | 'bank_account' | 'recipient_country';
type Destined = Pick<Transaction, 'withdrawal_recipient_name' | Bank | 'address'> & { network: string | null };

/** Where a payout goes, in a few words. */
export const recipientOf = ({
  withdrawal_recipient_name: name,
  address,
  bank_account: account,
}: Omit<Destined, 'network'>): string => name ?? address ?? account ?? 'an unnamed recipient';

/** Where a payout goes, in full: what a person signs or is answerable for is not cut off. */
export function Destination({ of: { bank_name: bank, bank_code: code, network, address, ...of } }: { of: Destined }) {
  return (
    <>
      <Fact name="Recipient">{of.withdrawal_recipient_name}</Fact>
      <Fact name="Bank">{[bank, code].filter(Boolean).join(', ')}</Fact>
      <Fact name="Account">{of.bank_account}</Fact>
      <Fact name="Country">{of.recipient_country}</Fact>
      <Fact name="Network">{network === null ? null : (NETWORK_WORDS[network] ?? network)}</Fact>
      <Fact name="Address">{address === null ? null : <code>{address}</code>}</Fact>
    </>
  );
}
