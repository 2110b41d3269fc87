import type { Movement, Sender } from '@stablecoin/contracts/signer/movement';
import type { SignTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import type { SigningPolicy } from '../rules/signing-rules';
import { readFeesPerGas, readNativeCaps, readPayoutCaps } from '../rules/spending-caps';
import type { Hex } from '../rules/transfer-transaction';

export const SEED = Buffer.alloc(64, 0x5e);
/** Of the seed above, by m/44'/60'/1'/0/0. */
export const HOT: Hex = '0x391d4aCCF994c769f04d3fd097150E7E734Ba931';
export const COLD: Hex = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const PAYEE: Hex = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
export const OTHER_PAYEE: Hex = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
const GWEI = 10n ** 9n;

/** What a signer that may spend is told. */
export const CAP_SETTINGS = {
  SIGNER_PAYOUT_CAPS: 'erc20:USDT=1000/2500, erc20:USDC=1000/2500, bep20:USDT=1000/2500, polygon:USDC=1000/2500',
  SIGNER_GAS_CAPS: 'erc20=0.01/0.025, polygon=1/2.5',
  SIGNER_FEE_CAPS: 'erc20=0.02/0.1, bep20=0.02/0.1, polygon=0.02/0.1',
  SIGNER_FEE_PER_GAS_CAPS: 'erc20=200, bep20=200, polygon=200',
};
export const CAPS = {
  payouts: readPayoutCaps(CAP_SETTINGS.SIGNER_PAYOUT_CAPS),
  gas: readNativeCaps(CAP_SETTINGS.SIGNER_GAS_CAPS),
  fees: readNativeCaps(CAP_SETTINGS.SIGNER_FEE_CAPS),
  feePerGas: readFeesPerGas(CAP_SETTINGS.SIGNER_FEE_PER_GAS_CAPS),
};

const addresses = new DepositAddresses(SEED);
const derived = new Map<number, Hex>();
export function depositAddress(index: number): Hex {
  const address = derived.get(index) ?? (addresses.derive('erc20', index) as Hex);
  derived.set(index, address);
  return address;
}

export const POLICY: SigningPolicy = { hot: HOT, cold: COLD, caps: CAPS, depositAddress };

const HOT_SENDER: Sender = { kind: 'hot' };
export const depositSender = (index: number): Sender => ({ kind: 'deposit', index });
export const payout = (changes: object = {}): Movement => ({
  ...{ kind: 'payout', currency: 'USDT', to: PAYEE, units: '1000000' },
  ...changes,
});
export const SWEEP: Movement = { kind: 'sweep', currency: 'USDC', units: '25000000' };
export const TO_COLD: Movement = { kind: 'to-cold', currency: 'USDT', units: '900000000000' };
export const GAS: Movement = { kind: 'gas', index: 7, wei: '2000000000000000' };
export const CANCEL: Movement = { kind: 'cancel' };

/** A payout of 1 USDT on Ethereum at 20 gwei, unless it is said otherwise. */
export const requestOf = (changes: Partial<SignTransfer> = {}): SignTransfer => ({
  network: 'erc20',
  from: HOT_SENDER,
  nonce: 0,
  gas: 65_000,
  ...feesOf(20n, 1n),
  movement: payout(),
  ...changes,
});

/** In gwei. */
export const feesOf = (fee: bigint, priority: bigint) => ({
  max_fee_per_gas: (fee * GWEI).toString(),
  max_priority_fee_per_gas: (priority * GWEI).toString(),
});
