/** What the owner of the tables, or a superuser, makes of a schema, and what verify then says of it. */
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { findSchemaFaults } from '../verify/schema-check';

export interface SchemaTampering {
  name: string;
  change: string[];
  undo: string[];
  problem: RegExp;
}

export const made = (name: string, change: string[], undo: string[], problem: RegExp): SchemaTampering => ({
  ...{ name, change, undo, problem },
});

/** A schema of his own, which all may use. */
export const AHEAD = ['CREATE SCHEMA ahead', 'GRANT USAGE ON SCHEMA ahead TO PUBLIC'];
export const AHEAD_IS_GONE = 'DROP SCHEMA ahead CASCADE';

/** What is of the whole server, or would stay to be seen: within a transaction that is rolled back. */
export async function faultsAfter(owner: LedgerDatabase, ...change: string[]): Promise<string[]> {
  const found = new Found();
  try {
    await owner.$transaction(async (transaction) => {
      for (const statement of change) await transaction.$executeRawUnsafe(statement);
      found.faults = (await findSchemaFaults(transaction)).map((fault) => `${fault.of}: ${fault.problem}`);
      throw found;
    });
  } catch (error) {
    if (error !== found) throw error;
  }
  return found.faults;
}

class Found extends Error {
  faults: string[] = [];
}
