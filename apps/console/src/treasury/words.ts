import type { Schema } from '../api/client';

type Transfer = Schema<'ChainTransfer'>;

export const KIND_WORDS: Readonly<Record<Transfer['kind'], string>> = {
  ...{ payout: 'Payout', sweep: 'Sweep to the hot wallet', 'to-cold': 'To the cold address', gas: 'Coins for a sweep' },
};

export const STATE_WORDS: Readonly<Record<Transfer['state'], string>> = {
  ...{ waiting: 'Waits', sent: 'Sent', completed: 'Completed', failed: 'Failed' },
};

export const STATE_TONES: Readonly<Record<Transfer['state'], string>> = {
  ...{ waiting: 'waiting', sent: 'neutral', completed: 'good', failed: 'bad' },
};

/** What holds a transfer, and what passes it on. */
const HOLDS: Readonly<Record<string, string>> = {
  turn: 'Others go first',
  nodes: 'The nodes do not agree or do not answer',
  liquidity: 'The hot wallet has too little: fill it',
  gas: 'The hot wallet has too few coins for fees: send some',
  fees_too_high: 'Fees are above the limit that is set',
  token_paused: 'The token is paused by its issuer',
  signing_cap: 'The signer has reached its cap for the day',
  signer: 'The signer does not answer',
  nonce_taken: 'Something else has sent from this address: chain resume',
  transfer_missing: 'Its transaction did not do what was ordered: a person has to look',
};
export const holdText = (hold: string): string => HOLDS[hold] ?? hold;
/** Whether a person has to do something: the other holds pass by themselves. */
export const needsPerson = (hold: string | null): boolean => hold === 'nonce_taken' || hold === 'transfer_missing';

const REASONS: Readonly<Record<string, string>> = {
  unknown_token: 'A token that is on no list of ours',
  below_smallest_unit: 'Less than the smallest unit',
  wrong_currency: 'Of another currency than the wallet',
  network_without_address: 'On a network on which the wallet has no address',
  customer_closed: 'The customer is closed',
  unknown_wallet: 'The wallet is not known',
  refused_by_ledger: 'The ledger refused it',
  rejected_by_screening: 'Rejected by screening',
};
export const reasonText = (reason: string): string => REASONS[reason] ?? reason;
