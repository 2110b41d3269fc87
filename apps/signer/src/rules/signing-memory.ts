import { createHash } from 'node:crypto';
import type { Movement } from '@stablecoin/contracts/signer/movement';
import type { EvmNetwork } from '@stablecoin/chains/chains';
import { LRUCache } from 'lru-cache';
import { RollingDay } from './rolling-day';
import { type TokenName, tokenName } from './spending-caps';
import type { Hex, Signature, TransactionTerms, Transfer } from './transfer-transaction';

/** The address that spends a nonce: the hot wallet's, or the deposit address of an index. */
export type Lane = Hex | number;

/** A transaction that was signed. */
export interface SignedTransaction {
  readonly kind: Movement['kind'];
  readonly lane: Lane;
  readonly from: Hex;
  readonly terms: TransactionTerms;
  readonly signature: Signature;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The name of the order that it pays. */
  readonly order?: string;
}

/** Where one transaction at the most is mined. */
interface PlaceInLane {
  readonly network: EvmNetwork;
  readonly lane: Lane;
  readonly nonce: number;
}

/** What is counted over a day: payouts of a token, native coin for gas, fees. */
export type SpendingName = TokenName | `${EvmNetwork}:gas` | `${EvmNetwork}:fees`;

interface Claim {
  latest: SignedTransaction;
  /** The most that any transaction under this nonce may cost; only one of them is mined. */
  fee: bigint;
}

/** Of so many on a network the latest transaction is known, so that it can be replaced; older ones can only be cancelled. */
const CLAIMS_MAX = 20_000;

export const feeOf = ({ gas, maxFeePerGas }: TransactionTerms): bigint => BigInt(gas) * maxFeePerGas;

export const isSameTransfer = (one: Transfer, other: Transfer): boolean =>
  one.currency === other.currency && one.to === other.to && one.amount === other.amount;

/**
 * What the rules need to know of the past: which nonce is given to which payment, and what left within a day. A fold of the
 * journal. Bounded: of each network, which a busy other one leaves alone, the latest 20,000 payments in full (about 17 MiB); of
 * each address, which of its nonces are older than that, as one number (about 35 bytes for an address that was ever
 * swept); of each order that was ever signed for, by which nonce (about 80 bytes: a million payouts have 80 MiB); sums per minute of
 * one day.
 */
export class SigningMemory {
  private readonly claims: Readonly<Record<EvmNetwork, LRUCache<string, Claim>>>;
  /** The first nonce of each lane that is not closed, where any is. */
  private readonly open = new Map<EvmNetwork, Map<Lane, number>>();
  /** Of each lane: the nonces by the digests of the orders that they pay. */
  private readonly paid = new Map<string, Map<string, number>>();
  private readonly spending = new RollingDay<SpendingName>();

  constructor(claimsMax = CLAIMS_MAX) {
    const claims = () =>
      new LRUCache<string, Claim>({
        max: claimsMax,
        dispose: ({ latest }, _name, reason) => {
          if (reason === 'evict') this.close(latest);
        },
      });
    this.claims = { erc20: claims(), bep20: claims(), polygon: claims() };
  }

  /** What was signed last under a nonce. */
  signedUnder(network: EvmNetwork, lane: Lane, nonce: number): SignedTransaction | undefined {
    return this.claims[network].peek(claimName(lane, nonce))?.latest;
  }

  /** Whether a nonce is too old to be known: it may have been given to a payment. */
  isClosed(network: EvmNetwork, lane: Lane, nonce: number): boolean {
    return nonce < (this.open.get(network)?.get(lane) ?? 0);
  }

  /** Whether an order was signed for in another place than this one. */
  isPaidElsewhere(order: string, { network, lane, nonce }: PlaceInLane): boolean {
    const digest = digestOf(order);
    const here = laneName(network, lane);
    return [...this.paid].some(([name, orders]) => {
      const known = orders.get(digest);
      return known !== undefined && (name !== here || known !== nonce);
    });
  }

  spentWithinDay(name: SpendingName, at: number): bigint {
    return this.spending.sum(name, at);
  }

  /** What a transaction with these terms adds to the fees of its day: a replacement costs only what it costs more. */
  addedFee(lane: Lane, terms: TransactionTerms): bigint {
    const known = this.claims[terms.network].peek(claimName(lane, terms.nonce))?.fee ?? 0n;
    const fee = feeOf(terms);
    return fee > known ? fee - known : 0n;
  }

  /** Counts a payment once, whatever replaces it; a cancellation takes nothing back, because either may be mined. */
  remember(signed: SignedTransaction): void {
    const { terms, lane, at, order } = signed;
    const { network, nonce } = terms;
    const name = claimName(lane, nonce);
    const before = this.claims[network].peek(name);
    const added = this.addedFee(lane, terms);
    this.spending.add(`${network}:fees`, added, at);
    if (before === undefined) this.countPayment(signed);
    if (order !== undefined) this.payOrder(order, { network, lane, nonce });
    this.claims[network].set(name, { latest: signed, fee: (before?.fee ?? 0n) + added });
  }

  private countPayment({ kind, terms: { network, transfer }, at }: SignedTransaction): void {
    if (kind === 'payout' && transfer.currency !== null)
      this.spending.add(tokenName(network, transfer.currency), transfer.amount, at);
    if (kind === 'gas') this.spending.add(`${network}:gas`, transfer.amount, at);
  }

  private payOrder(order: string, { network, lane, nonce }: PlaceInLane): void {
    const name = laneName(network, lane);
    const orders = this.paid.get(name) ?? new Map<string, number>();
    this.paid.set(name, orders.set(digestOf(order), nonce));
  }

  private close({ lane, terms: { network, nonce } }: SignedTransaction): void {
    const lanes = this.open.get(network) ?? new Map<Lane, number>();
    lanes.set(lane, Math.max(lanes.get(lane) ?? 0, nonce + 1));
    this.open.set(network, lanes);
  }
}

const laneName = (network: EvmNetwork, lane: Lane): string => `${network}:${lane}`;
/** Shorter than the name itself: 96 bits. */
const digestOf = (order: string): string =>
  createHash('sha256').update(order).digest().subarray(0, 12).toString('base64');
const claimName = (lane: Lane, nonce: number): string => `${lane}:${nonce}`;
