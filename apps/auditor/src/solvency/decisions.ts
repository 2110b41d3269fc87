/**
 * What operators have decided on transfers that were credited to no one by themselves. The chain service keeps a decision with the name and
 * the reason that it was told, and who has its database can write one in an operator's name. The operators' program records each as an act,
 * in another database and by a chain of hashes, before the chain service is asked: what is in no act, no operator has decided.
 */
import { OperatorsAct } from '../acts/operators-acts';

export type Resolution = 'credit' | 'ignore' | 'returned';

export interface Decision {
  resolution: Resolution;
  wallet_id: string | null;
  transaction_hash: string | null;
  actor: string;
  reason: string;
  /** ISO 8601. */
  decided_at: string;
}

/** What an auditor was given to hold decisions against. */
export interface KnownActs {
  acts: readonly OperatorsAct[];
  /** Before then none was recorded as an act: epoch milliseconds. */
  since: number;
}

export interface JudgedDecision extends Decision {
  /** As the watcher has the transfer. */
  deposit: string;
  /** Its number; null where none is known, and undefined where none was looked for. */
  act: number | null | undefined;
}

/** The act is recorded before the chain service is asked, by clocks of two databases. */
const BEFORE_MS = 10 * 60_000;

export function judged(deposit: string, decision: Decision, known: KnownActs | undefined): JudgedDecision {
  const isLooked = known !== undefined && Date.parse(decision.decided_at) >= known.since;
  return { ...decision, deposit, act: isLooked ? (actOf(deposit, decision, known.acts)?.number ?? null) : undefined };
}

function actOf(deposit: string, decision: Decision, acts: readonly OperatorsAct[]): OperatorsAct | undefined {
  const { resolution, wallet_id, transaction_hash, actor, reason, decided_at } = decision;
  const latest = Date.parse(decided_at) + BEFORE_MS;
  return acts.find(
    ({ action, details, recorded_at, ...by }) =>
      action === 'chain unrecognised resolve' &&
      by.actor === actor &&
      (by.reason ?? '') === reason &&
      details?.['deposit'] === deposit &&
      details['resolution'] === resolution &&
      (details['wallet'] ?? null) === wallet_id &&
      (details['transaction'] ?? null) === transaction_hash &&
      Date.parse(recorded_at) <= latest,
  );
}

export const decisionText = ({ resolution, wallet_id, transaction_hash, actor, reason }: Decision): string => {
  const what = {
    credit: `credited to wallet ${wallet_id}`,
    ignore: 'ignored',
    returned: `sent back by ${transaction_hash}`,
  };
  return `${what[resolution]} by ${actor}: ${reason}`;
};
