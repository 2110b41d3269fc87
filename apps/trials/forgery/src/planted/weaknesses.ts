/**
 * Rules that are switched off in the running programs, or in the database. The trial has to find each: in one of the lines that it
 * names at the least.
 */
import type { DatabaseName } from '@stablecoin/migrations/databases';
import { type Database, OWNER } from '../ground/databases';
import type { SwitchedOff } from '../ground/switched-off';
import type { Aim } from '../table/forgery';

export interface Weakness extends SwitchedOff {
  /** Which rule is off. */
  what: string;
  /** The cells of the table in which it has to show: these alone are tried. */
  shows: readonly `${string}/${Aim}`[];
}

const inLedger = (statement: string) => (databases: Record<DatabaseName, Database>) =>
  databases.ledger.as(OWNER, [statement]);

export const WEAKNESSES = {
  'log-is-writable': {
    what: 'the ledger’s role may change the log',
    plant: inLedger(
      'GRANT DELETE, UPDATE, TRUNCATE ON ledger_events TO ledger_app; DROP TRIGGER ledger_events_are_append_only ON ledger_events',
    ),
    shows: ['login-ledger-app/hide', 'login-ledger-app/undo'],
  },
  'ledger-signs-anything': {
    what: 'the ledger signs a log whatever its head says',
    edits: [
      {
        file: 'apps/wallet-ledger/src/checkpoints/judge-head.js',
        from: 'refusal: acceptsUnsigned || isFirst ? undefined : refusal',
        to: 'refusal: undefined',
      },
    ],
    shows: ['owner/mint'],
  },
  'ledger-forgets': {
    what: 'the ledger does not read what it remembers to have signed',
    edits: [
      {
        file: 'apps/wallet-ledger/src/checkpoints/signed-memory.js',
        from: 'if (text === undefined) return undefined;',
        to: 'return undefined;',
      },
    ],
    shows: ['backup/hide', 'backup/undo'],
  },
  'unsigned-tails-pass': {
    what: 'the auditor takes what the ledger has not signed for signed',
    edits: [
      {
        file: 'apps/auditor/src/verify/unsigned-tail.js',
        from: 'if (fault) faults.push({',
        to: 'if (false) faults.push({',
      },
    ],
    shows: ['login-ledger-app/move', 'owner/move'],
  },
  'derived-tables-pass': {
    what: 'the auditor does not compare totals and searches',
    edits: [
      {
        file: 'apps/auditor/src/verify/verify.js',
        from: 'derived: await (0, _comparederived.compareDerived)(',
        to: 'derived: (() => [])(',
      },
    ],
    shows: ['owner/hide'],
  },
  'acts-may-be-deleted': {
    what: 'the customer service’s role may delete operators’ acts',
    plant: (databases) =>
      databases.customer.as(OWNER, [
        'GRANT DELETE, UPDATE ON operator_acts TO customer_app',
        'DROP TRIGGER operator_acts_are_append_only ON operator_acts',
      ]),
    shows: ['login-customer-app/hide', 'operator/hide'],
  },
  'documents-are-open': {
    what: 'officers see documents of which no reading is on the record',
    plant: (databases) => databases.customer.as(OWNER, ['ALTER TABLE document_parts DISABLE ROW LEVEL SECURITY']),
    shows: ['login-customer-compliance/read'],
  },
  'broker-lets-all-speak': {
    what: 'the broker lets each user say and hear everything',
    isBrokerOpen: true,
    shows: [
      'service-gateway/mint',
      'service-customer/move',
      'service-swap-pricing/hide',
      'service-payout/move',
      'service-chain/read',
    ],
  },
  'customers-of-others': {
    what: 'the customer service finds customers of other merchants too, and Postgres shows them',
    plant: (databases) => databases.customer.as(OWNER, ['ALTER TABLE customers DISABLE ROW LEVEL SECURITY']),
    edits: [
      {
        file: 'libs/customer-store/src/customers/customer-record.js',
        from: 'WHERE merchant_id = ${merchantId}::uuid AND id = ${customerId}::uuid`;',
        to: 'WHERE id = ${customerId}::uuid`;',
      },
    ],
    shows: ['merchant/read'],
  },
} as const satisfies Record<string, Weakness>;

export type WeaknessName = keyof typeof WEAKNESSES;
