import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import type { TokenCurrency } from '@stablecoin/chains/tokens';
import type { AmountText, Timestamp } from '@stablecoin/contracts/wallet/views';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

export class GetTreasury {
  /** All networks with a node by default. */
  @Optional() @IsOneOf(EVM_NETWORKS, 'unsupported_network') network?: EvmNetwork;
}

/** In the token's own units, and as the ledger prints amounts, rounded down. */
export interface Holding {
  units: string;
  amount: AmountText;
}

export interface HeldAtAddresses extends Holding {
  addresses: number;
}

/** What we hold of a token, as the treasury last read it, less what may still be replaced on the chain. */
export interface TokenTreasury {
  currency: TokenCurrency;
  /** At deposit addresses with more than `sweep_above`, which are swept; all are below where nothing is swept. */
  to_sweep: HeldAtAddresses;
  below_threshold: HeldAtAddresses;
  hot: Holding | null;
  /** Null without a cold address. */
  cold: Holding | null;
  /** At hot wallets and cold addresses that the signer names no longer. */
  former: Holding;
  /** What leaves the hot wallet to payees and to the cold address, and what comes to it from deposit addresses. */
  under_way: { payouts: Holding; to_cold: Holding; sweeps: Holding };
  /** Of all deposits, what is finer than the ledger's smallest unit: held, and owed to no one. */
  rest_units: string;
  /** Null where none is set. */
  sweep_above: AmountText | null;
  hot_min: AmountText | null;
  hot_max: AmountText | null;
  hot_target: AmountText | null;
}

export interface NetworkTreasury {
  network: EvmNetwork;
  /** Of the native coin. */
  coin: string;
  /** Until the treasury has read it, what the signer says; null while that does not answer. */
  hot_address: string | null;
  /** Null until the treasury has read it. */
  hot_wei: string | null;
  cold_address: string | null;
  /** For how many token transfers the hot wallet's coins pay, at the fees of the market; null while that is not known. */
  hot_wei_transfers: number | null;
  /** Coins at deposit addresses: what was given for sweeps' fees and not used up. */
  deposit_addresses_wei: string;
  /** Of the treasury's book: paid to the network, and given to deposit addresses. */
  fees_wei: string;
  gas_wei: string;
  /** The block at which the hot wallet was read, and when; null before. */
  block_number: number | null;
  read_at: Timestamp | null;
  tokens: TokenTreasury[];
}

/** What we hold on each network and where. `not_found` for one without nodes. */
export const getTreasury = operation({
  subject: 'chain.get-treasury',
  readOnly: true,
  request: GetTreasury,
  reply: replies<{ networks: NetworkTreasury[] }>(),
  errors: ['not_found'],
});
