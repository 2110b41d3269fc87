/**
 * Who forges what. A forgery is a line of a cell; a new row or a new aim leaves cells empty, which the compiler refuses. The
 * document docs/FORGERIES.md is made of this table.
 */
import { BACKUP_HOLDER } from './backup-holder';
import { DATABASE_OWNER } from './database-owner';
import { AUDIT_RUNNER } from './audit-runner-role';
import { DATABASE_ROLES } from './database-roles';
import type { Aim, Forgery, Row } from './forgery';
import { AIMS } from './forgery';
import { MERCHANT } from './merchant';
import { NEIGHBOURS } from './neighbours';
import { OPERATOR } from './operator';
import { TAKEN_LEDGER } from './taken-ledger';

export interface Forger {
  /** As `--only` takes it. */
  name: string;
  /** What he has. */
  has: string;
  row: Row;
}

const named = (kind: string, rows: Record<string, Row>, has: string): Forger[] =>
  Object.entries(rows).map(([name, row]) => ({
    name: `${kind}-${name.replaceAll('_', '-')}`,
    has: `${has} ${name}`,
    row,
  }));

export const FORGERS: readonly Forger[] = [
  { name: 'merchant', has: 'API keys of his own', row: MERCHANT },
  ...named('service', NEIGHBOURS, 'the user of the bus and the keys of'),
  { name: 'ledger', has: 'the ledger itself, with the key that signs', row: TAKEN_LEDGER },
  ...named('login', { ...DATABASE_ROLES, backoffice_audit_runner: AUDIT_RUNNER }, 'the database role'),
  { name: 'owner', has: 'the owner of all databases, the services being down', row: DATABASE_OWNER },
  { name: 'operator', has: "the operators' program and its logins", row: OPERATOR },
  { name: 'backup', has: 'a backup of all databases, without the keys', row: BACKUP_HOLDER },
];

export interface Line {
  forger: Forger;
  aim: Aim;
  forgery: Forgery;
}

export const linesOf = (forgers: readonly Forger[]): Line[] =>
  forgers.flatMap((forger) =>
    (Object.keys(AIMS) as Aim[]).flatMap((aim) => forger.row[aim].map((forgery) => ({ forger, aim, forgery }))),
  );
