import { tokenOf } from '@stablecoin/chains/tokens';
import { callerKeysText, readCallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import type { Movement, Payout, Sender } from '@stablecoin/contracts/signer/movement';
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

export const PAYOUT_SERVICE = new CallerSecret('payout', Buffer.alloc(32, 0x0d));
/** The value of COMMAND_EVIDENCE_KEYS. */
export const ORDER_KEYS = callerKeysText([['payout', PAYOUT_SERVICE.evidenceKey]]);
const orders = { keys: readCallerKeys(ORDER_KEYS), acceptsUnsigned: false };

export const POLICY: SigningPolicy = { hot: HOT, cold: COLD, caps: CAPS, orders, depositAddress };

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

/** A payout of 1 USDT on Ethereum at 20 gwei, ordered by the payout service, unless it is said otherwise. */
export function requestOf(changes: Partial<SignTransfer> = {}): SignTransfer {
  const request: SignTransfer = {
    network: 'erc20',
    from: HOT_SENDER,
    nonce: 0,
    gas: 65_000,
    ...feesOf(20n, 1n),
    movement: payout(),
    ...changes,
  };
  const { movement } = request;
  // Also one that says that there is none, and one that is malformed.
  const isOrdered = movement.kind !== 'payout' || 'order' in movement || typeof movement.units !== 'string';
  return isOrdered ? request : { ...request, movement: { ...movement, ...orderOf(request, movement) } };
}

/** The order of this payment, by default one of its own for each nonce. */
export function orderOf(
  { network, nonce }: Pick<SignTransfer, 'network' | 'nonce'>,
  { currency, to, units }: Payout,
  { by = PAYOUT_SERVICE, reference = `payout ${network} ${nonce}` }: { by?: CallerSecret; reference?: string } = {},
): Partial<Payout> {
  const decimals = tokenOf(network, currency)?.decimals ?? 0;
  const digits = units.padStart(decimals + 1, '0');
  const amount = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  const terms = { reference, network, currency, to: to.toLowerCase(), amount };
  const { text, signature } = signEvidence(by, { type: 'transfer-order', ...terms });
  return { reference, order: text, order_signature: signature };
}

/** In gwei. */
export const feesOf = (fee: bigint, priority: bigint) => ({
  max_fee_per_gas: (fee * GWEI).toString(),
  max_priority_fee_per_gas: (priority * GWEI).toString(),
});
