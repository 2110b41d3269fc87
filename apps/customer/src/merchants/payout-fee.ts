import { ResolvedApiKey } from '@stablecoin/contracts/customer/resolve-api-key';

export interface PayoutFeeColumns {
  payout_fee_flat: string | null;
  payout_fee_basis_points: number | null;
}

/** Null for a merchant whose payouts are free. */
export function feeSchedule(merchant: PayoutFeeColumns): ResolvedApiKey['payout_fee_schedule'] {
  const { payout_fee_flat: flat, payout_fee_basis_points: basis_points } = merchant;
  return flat === null || basis_points === null ? null : { flat, basis_points };
}
