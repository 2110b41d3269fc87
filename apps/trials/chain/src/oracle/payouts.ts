/**
 * What the chain must have of a schedule's payouts once everything is final: of each that is completed one transfer from the
 * hot wallet to its payee, of each that failed none, and no other transfer from there.
 */
import { type EvmNetwork } from '@stablecoin/chains/chains';
import { tokenAt } from '@stablecoin/chains/tokens';
import type { SeenTransfer } from './chain-record';

export interface OrderedPayout {
  reference: string;
  currency: string;
  units: bigint;
  /** Of no other payout; in lower case. */
  payee: string;
}

/** What is said of it in the end: by the chain service, and by the ledger where it was ordered there. */
export interface PayoutOutcome {
  reference: string;
  state: string;
  transaction_hash: string | null;
  held_by?: string | null;
  failure?: string | null;
}

export interface PayoutsToJudge {
  network: EvmNetwork;
  hot: string;
  ordered: readonly OrderedPayout[];
  outcomes: readonly PayoutOutcome[];
  transfers: readonly SeenTransfer[];
}

export function findingsOfPayouts({ network, hot, ordered, outcomes, transfers }: PayoutsToJudge): string[] {
  const sent = transfers.filter(({ from }) => from === hot);
  const findings = sent
    .filter(({ to }) => !ordered.some(({ payee }) => payee === to))
    .map(({ transactionHash, to }) => `transaction ${transactionHash} pays ${to}, which was not ordered`);
  for (const order of ordered) {
    const outcome = outcomes.find(({ reference }) => reference === order.reference);
    const paid = sent.filter(({ to }) => to === order.payee);
    const of = `payout ${order.reference}`;
    if (paid.length > 1) findings.push(`${of}: paid ${paid.length} times: ${hashesOf(paid)}`);
    const [once] = paid;
    if (once && !isAsOrdered(network, order, once))
      findings.push(`${of}: paid otherwise than ordered: ${hashesOf(paid)}`);
    if (outcome?.state === 'completed') {
      if (!once) findings.push(`${of}: completed, and not paid`);
      else if (once.transactionHash !== outcome.transaction_hash)
        findings.push(`${of}: completed by ${String(outcome.transaction_hash)}, and paid by ${once.transactionHash}`);
    } else if (outcome?.state === 'failed')
      findings.push(`${of}: failed (${String(outcome.failure)})${once ? ', and paid' : ''}`);
    else findings.push(`${of}: ${outcome?.state ?? 'unknown'}, held by ${String(outcome?.held_by)}: it has no end`);
  }
  return findings;
}

const hashesOf = (transfers: readonly SeenTransfer[]) => transfers.map(({ transactionHash }) => transactionHash).join();

const isAsOrdered = (network: EvmNetwork, { currency, units }: OrderedPayout, transfer: SeenTransfer): boolean =>
  tokenAt(network, transfer.token)?.currency === currency && transfer.units === units;
