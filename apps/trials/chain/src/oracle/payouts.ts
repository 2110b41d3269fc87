/**
 * What there must be of a schedule's payouts once everything is final: each that the ledger accepted has completed there by
 * one transfer from the hot wallet to its payee, which the payout service and the chain service know as the same, and no
 * other transfer has left there. Nothing in a schedule is a reason for one to fail.
 */
import { type EvmNetwork } from '@stablecoin/chains/chains';
import { tokenAt } from '@stablecoin/chains/tokens';
import type { ChainRecord, SeenTransfer } from './chain-record';

/** A payout that the ledger has said to hold. */
export interface HeldPayout {
  id: string;
  currency: string;
  /** As the ledger prints it. */
  amount: string;
  units: bigint;
  /** Of no other payout; in lower case. */
  payee: string;
}

/** As the ledger has it. */
export interface BookedPayout {
  id: string;
  amount: string;
  status: string;
  crypto_transaction_id: string | null;
}

/** What is said of it in the end. */
export interface PayoutOutcome {
  id: string;
  /** Undefined where the ledger doesn't have it. */
  booked: BookedPayout | undefined;
  /** At the payout service; undefined where it never heard of it. */
  process: string | undefined;
  /** At the chain service; undefined where it was never ordered there. */
  order: PayoutOrder | undefined;
}

export interface PayoutOrder {
  state: string;
  transaction_hash: string | null;
  held_by?: string | null;
  failure?: string | null;
}

export interface PayoutsToJudge {
  network: EvmNetwork;
  hot: string;
  held: readonly HeldPayout[];
  outcomes: readonly PayoutOutcome[];
  transfers: readonly SeenTransfer[];
}

export function findingsOfPayouts({ network, hot, held, outcomes, transfers }: PayoutsToJudge): string[] {
  const sent = transfers.filter(({ from }) => from === hot);
  const findings = sent
    .filter(({ to }) => !held.some(({ payee }) => payee === to))
    .map(({ transactionHash, to }) => `transaction ${transactionHash} pays ${to}, which was not ordered`);
  for (const payout of held) {
    const paid = sent.filter(({ to }) => to === payout.payee);
    const [once] = paid;
    const found = findingsOfOutcome(
      payout,
      outcomes.find(({ id }) => id === payout.id),
      once,
    );
    if (paid.length > 1) found.unshift(`paid ${paid.length} times: ${hashesOf(paid)}`);
    if (once && !isAsAsked(network, payout, once)) found.unshift(`paid otherwise than asked for: ${hashesOf(paid)}`);
    findings.push(...found.map((finding) => `payout ${payout.id}: ${finding}`));
  }
  return findings;
}

function findingsOfOutcome(payout: HeldPayout, outcome: PayoutOutcome | undefined, paid?: SeenTransfer): string[] {
  const { booked, process, order } = outcome ?? {};
  if (!booked) return ['the ledger has accepted it, and does not have it'];
  const { status, amount, crypto_transaction_id: hash } = booked;
  const findings = amount === payout.amount ? [] : [`the ledger has ${amount} for ${payout.amount}`];
  switch (status) {
    case 'COMPLETED':
      if (!paid) findings.push('COMPLETED, and not paid');
      else if (paid.transactionHash !== hash)
        findings.push(`COMPLETED by ${String(hash)}, and paid by ${paid.transactionHash}`);
      break;
    case 'FAILED':
      findings.push(`FAILED (${String(order?.failure)})${paid ? ', and paid' : ''}`);
      break;
    case 'PENDING':
      findings.push(
        `PENDING, ${process ?? 'unknown'} at the payout service, ` +
          `${order?.state ?? 'unknown'} at the chain service, held by ${String(order?.held_by)}: it has no end`,
      );
      break;
    default:
      findings.push(`${status}${paid ? ', and paid' : ''}`);
  }
  const isOver = status === 'COMPLETED' || status === 'FAILED';
  if (isOver && process !== status.toLowerCase())
    findings.push(`${status}, and ${process ?? 'unknown'} at the payout service`);
  if (isOver && (order?.state !== status.toLowerCase() || order.transaction_hash !== hash))
    findings.push(
      `${status} by ${String(hash)}, and ${order?.state ?? 'unknown'} by ${String(order?.transaction_hash)} at the chain service`,
    );
  return findings;
}

/** What has completed before its transfer was final; asked while the schedule runs. */
export function findingsOfHastyPayouts(
  held: readonly HeldPayout[],
  booked: readonly BookedPayout[],
  record: Pick<ChainRecord, 'everSeen' | 'wasFinal'>,
): string[] {
  const final = new Set(
    record
      .everSeen()
      .filter((transfer) => record.wasFinal(transfer))
      .map(({ to }): string => to),
  );
  const completed = new Set(booked.filter(({ status }) => status === 'COMPLETED').map(({ id }) => id));
  return held
    .filter(({ id, payee }) => completed.has(id) && !final.has(payee))
    .map(({ id }) => `payout ${id}: COMPLETED before it was final`);
}

const hashesOf = (transfers: readonly SeenTransfer[]) => transfers.map(({ transactionHash }) => transactionHash).join();

const isAsAsked = (network: EvmNetwork, { currency, units }: HeldPayout, transfer: SeenTransfer): boolean =>
  tokenAt(network, transfer.token)?.currency === currency && transfer.units === units;
