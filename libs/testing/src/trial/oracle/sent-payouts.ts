/** What the rail took, behind the payout service's back: of every acknowledged payout one, and nothing else. */
import { Client as Postgres } from 'pg';
import { TrialStack } from '../trial-stack';
import { described, Operation } from '../traffic/operation';

/** A payout and what the rail has of it; either may be missing. */
export interface SentPayout {
  id: string | null;
  reference: string | null;
}

export async function wronglySent(stack: TrialStack, operations: readonly Operation[]): Promise<string[]> {
  const database = new Postgres({ connectionString: stack.owner_databases.payout });
  await database.connect();
  try {
    const { rows } = await database.query<SentPayout>(
      `SELECT payouts.id, sandbox_rail.reference
       FROM payouts FULL JOIN sandbox_rail ON sandbox_rail.reference = payouts.provider_reference`,
    );
    return compareWithRail(operations, rows);
  } finally {
    await database.end();
  }
}

export function compareWithRail(operations: readonly Operation[], sent: readonly SentPayout[]): string[] {
  const references = new Map(sent.flatMap(({ id, reference }) => (id === null ? [] : [[id, reference]])));
  const accepted = operations.filter(({ kind, outcome }) => kind === 'payout' && outcome === 'acknowledged');
  const known = new Set(accepted.flatMap(({ transactions }) => transactions));
  const unacknowledged = sent.filter(({ id, reference }) => reference !== null && (id === null || !known.has(id)));
  return [
    ...accepted
      .filter(({ transactions: [id] }) => (references.get(id as string) ?? null) === null)
      .map((operation) => `never sent: ${described(operation)}`),
    ...unacknowledged.map(
      ({ id, reference }) => `sent as ${reference}, of ${id ?? 'no payout'}: no caller received an acknowledgement`,
    ),
  ];
}
