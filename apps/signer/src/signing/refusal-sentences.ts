import type { SigningRefusal } from '@stablecoin/contracts/signer/sign-transfer';

/** What each refusal says, after the name of the field at fault. */
export const REFUSAL_SENTENCES: Readonly<Record<SigningRefusal, string>> = {
  wrong_sender: 'must be the key that this movement leaves from',
  token_not_listed: 'must be a token of the network',
  own_address: 'must not be the hot wallet or the cold address',
  unpayable_address: 'must be an address that somebody can have the key of',
  no_cold_address: 'needs SIGNER_COLD_ADDRESS in the configuration of the signer',
  order_missing: 'must be there, as the payout service has signed it',
  wrong_order: 'must be this very payment, signed by the payout service',
  order_paid: 'is paid by another transaction',
  priority_above_fee: 'must not be above max_fee_per_gas',
  nonce_used: 'is given to another payment, or to its cancellation',
  nonce_closed: 'is older than what the signer remembers',
  fees_not_raised: 'must be 10 % above what was signed under this nonce',
  fee_per_gas_above_cap: "is above the signer's cap",
  fee_above_cap: "times max_fee_per_gas is above the signer's cap",
  fees_above_daily_cap: "times max_fee_per_gas is above what the signer's cap leaves for 24 hours",
  amount_above_cap: "is above the signer's cap for a transaction",
  amount_above_daily_cap: "is above what the signer's cap leaves for 24 hours",
};
