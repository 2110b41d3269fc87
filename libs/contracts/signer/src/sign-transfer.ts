import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import { IsOneOf, IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsNestedOneOf } from '@stablecoin/contracts/wire/fields/nested';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import {
  Cancel,
  FromDeposit,
  FromHot,
  Gas,
  IsWei,
  type Movement,
  Payout,
  type Sender,
  Sweep,
  ToCold,
} from './movement';

const SENDERS = { hot: FromHot, deposit: FromDeposit };
const MOVEMENTS = { payout: Payout, sweep: Sweep, 'to-cold': ToCold, gas: Gas, cancel: Cancel };

/** The gas of a plain transfer, the cheapest transaction there is. */
export const GAS_MIN = 21_000;
export const GAS_MAX = 1_000_000;
const NONCE_MAX = 2 ** 40;

/** The class of what arrived, by its kind; that of an unknown kind refuses it. */
const byKind =
  <Class>(classes: Readonly<Record<string, Class>>, otherwise: Class) =>
  (plain: object): Class => {
    const kind = (plain as { kind?: unknown }).kind;
    return (typeof kind === 'string' && Object.hasOwn(classes, kind) ? classes[kind] : undefined) ?? otherwise;
  };

/**
 * A movement, and what only the network knows: nonce and fees. The signer builds the transaction itself, from the chain
 * ids and contracts that it was built with, so that nothing else can be asked for.
 */
export class SignTransfer {
  @IsOneOf(EVM_NETWORKS, 'unsupported_network') network: EvmNetwork;
  @IsNestedOneOf(() => Object.values(SENDERS), byKind<new () => object>(SENDERS, FromHot)) from: Sender;
  @IsWholeNumberBetween(0, NONCE_MAX) nonce: number;
  /** The limit of gas. */
  @IsWholeNumberBetween(GAS_MIN, GAS_MAX) gas: number;
  @IsWei() max_fee_per_gas: string;
  @IsWei() max_priority_fee_per_gas: string;
  @IsNestedOneOf(() => Object.values(MOVEMENTS), byKind<new () => object>(MOVEMENTS, Cancel)) movement: Movement;
}

export interface SignedTransfer {
  /** The transaction as a node takes it, type 2 (EIP-1559), in hex with 0x. */
  raw: `0x${string}`;
  /** Of `raw`: the name of the transaction on its chain. */
  hash: `0x${string}`;
  from: `0x${string}`;
}

/**
 * Why the signer's own rules refuse a request that is well formed. In `validation_failed`, as the code of the field at
 * fault; only the chain service sees it. The caps make way with time; everything else is refused for good.
 */
export const SIGNING_REFUSALS = [
  'wrong_sender',
  'token_not_listed',
  'own_address',
  'unpayable_address',
  'no_cold_address',
  'order_missing',
  'wrong_order',
  'order_paid',
  'priority_above_fee',
  'nonce_used',
  'nonce_closed',
  'fees_not_raised',
  'fee_per_gas_above_cap',
  'fee_above_cap',
  'fees_above_daily_cap',
  'amount_above_cap',
  'amount_above_daily_cap',
] as const;
export type SigningRefusal = (typeof SIGNING_REFUSALS)[number];

/** The same request again gives the same bytes. */
export const signTransfer = operation({
  subject: 'signer.sign-transfer',
  request: SignTransfer,
  reply: replies<SignedTransfer>(),
  errors: [],
});
