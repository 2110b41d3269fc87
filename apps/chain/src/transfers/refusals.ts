/** What follows when the signer will not sign. */
import { TransferFailure, TransferHold } from '@stablecoin/contracts/chain/views';
import { SIGNING_REFUSALS, SigningRefusal } from '@stablecoin/contracts/signer/sign-transfer';

/**
 * The signer's own, and two of ours: its keys are others than the order was made for, and our request is none that it knows.
 * Nothing was signed.
 */
export type SigningObstacle = SigningRefusal | 'other_key' | 'malformed';

type AfterRefusal =
  /** `lane`: the next transfer of the lane would be refused as well. */
  { hold: TransferHold; of: 'transfer' | 'lane' } | { failure: TransferFailure };

export function afterRefusal(refused: SigningObstacle): AfterRefusal {
  switch (refused) {
    case 'own_address':
    case 'unpayable_address':
      return { failure: 'unpayable_address' };
    case 'amount_above_cap':
    case 'amount_above_daily_cap':
      return { hold: 'signing_cap', of: 'transfer' };
    case 'fees_above_daily_cap':
      return { hold: 'signing_cap', of: 'lane' };
    case 'fee_per_gas_above_cap':
    case 'fee_above_cap':
      return { hold: 'fees_too_high', of: 'lane' };
    case 'wrong_sender':
    case 'token_not_listed':
    case 'no_cold_address':
    case 'order_missing':
    case 'wrong_order':
    case 'order_paid':
    case 'malformed':
      return { hold: 'signer', of: 'transfer' };
    case 'priority_above_fee':
    case 'nonce_used':
    case 'nonce_closed':
    case 'fees_not_raised':
    case 'other_key':
      return { hold: 'signer', of: 'lane' };
  }
}

/** Those by which it shows that something is wrong with us, and not with the amount, the market or the payee. */
export const isOurFault = (refused: SigningObstacle): boolean => {
  const after = afterRefusal(refused);
  return 'hold' in after && after.hold === 'signer';
};

export const SIGNING_OBSTACLES = [
  ...SIGNING_REFUSALS,
  'other_key',
  'malformed',
] as const satisfies readonly SigningObstacle[];
export const isSigningRefusal = (code: string): code is SigningRefusal =>
  (SIGNING_REFUSALS as readonly string[]).includes(code);
