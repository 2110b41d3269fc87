/**
 * A deposit, from first sight to its end. Two things are known of it: where its transfer stands on the chain, which only
 * the walk changes, and what the ledger has booked, which only the steps change. What the ledger is asked next follows
 * from both (`nextStep`).
 *
 * | standing  | its transfer is                                                    |
 * |-----------|--------------------------------------------------------------------|
 * | included  | in a block that may still be replaced                              |
 * | final     | in a block that is final                                           |
 * | orphaned  | in a block that was replaced; it may be included again             |
 * | gone      | in none up to the newest, though one as high as its block is final |
 */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { DepositStanding, UnrecognisedReason } from '@stablecoin/contracts/chain/views';

/** `recording`: the ledger may have been asked, with an answer that was not stored. */
export type Booked =
  'nothing' | 'recording' | 'recorded' | 'completed' | 'failed' | 'reversed' | 'unrecognised' | 'resolved';

/**
 * What stays the same when a block is replaced: the log's place among those that its token's contract emitted in the
 * transaction. Its place in the block does not.
 */
interface TransferName {
  transactionHash: Hex;
  token: Hex;
  ordinal: number;
}

/** A transfer to one of our addresses, as it stands in a block. */
export interface Transfer extends TransferName {
  from: Hex;
  to: Hex;
  units: bigint;
  blockNumber: number;
  blockHash: Hex;
}

/** Whom it is for, and what it counts as. Decided at first sight. */
export interface Credit {
  /** Null for a contract that is on no list. */
  currency: TokenCurrency | null;
  /** As the ledger prints amounts; null without a currency. */
  amount: string | null;
  restUnits: bigint;
  confirmationsRequired: number | null;
  walletId: string;
  merchantId: string;
  shard: number;
  unrecognisedReason: UnrecognisedReason | null;
}

export interface Deposit extends Transfer, Credit {
  id: string;
  network: EvmNetwork;
  /** 0; one more each time that the transfer comes again after its deposit had ended. */
  round: number;
  standing: DepositStanding;
  booked: Booked;
}

export const nameOf = ({ transactionHash, token, ordinal }: TransferName): string =>
  `${transactionHash}:${token}:${ordinal}`;

/** From what the ids of its commands to the ledger are derived: see ADR 37. */
export const commandNameOf = (chainId: number, name: TransferName, round: number): string =>
  `deposit:${chainId}:${nameOf(name)}:${round}`;

export const DEPOSIT_STEPS = ['record', 'confirm', 'fail', 'reverse'] as const;
export type DepositStep = (typeof DEPOSIT_STEPS)[number];

/** What the ledger is to be asked next; undefined when there is nothing to ask until the standing changes. */
export function nextStep({ standing, booked }: Pick<Deposit, 'standing' | 'booked'>): DepositStep | undefined {
  switch (booked) {
    case 'nothing':
      // One that was replaced before the ledger heard of it is not recorded until it comes again.
      return standing === 'included' || standing === 'final' ? 'record' : undefined;
    case 'recording':
      return 'record';
    case 'recorded':
      if (standing === 'final') return 'confirm';
      return standing === 'gone' ? 'fail' : undefined;
    case 'completed':
      return standing === 'gone' ? 'reverse' : undefined;
    case 'failed':
    case 'reversed':
    case 'unrecognised':
    case 'resolved':
      return undefined;
  }
}
