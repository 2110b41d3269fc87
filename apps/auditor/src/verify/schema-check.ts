/**
 * Whether the ledger reads the tables that were compared, and all of their rows. Who owns the tables can leave every row as it is and
 * have the ledger's login see others: by another schema before `public` in its search path, by row-level security, by a rule, a
 * view in a table's place, or a trigger of his own. None of that is in a migration of the ledger.
 */
import { DERIVED_TABLES, KEPT_BY_TRIGGERS, PROJECTION_TABLES } from '@stablecoin/ledger-store/projections/tables';
import { Sql } from '@stablecoin/persistence/sql';

/** All tables that hold a part of a log, follow from one, or answer a caller. */
const TABLES = [
  ...new Set<string>([
    ...['ledger_events', 'ledger_shards', 'ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_tree_nodes'],
    ...['ledger_liabilities', 'ledger_liability_tiles', 'command_results', 'relay_checkpoints'],
    ...PROJECTION_TABLES.map(({ table }) => table),
    ...[...KEPT_BY_TRIGGERS, ...DERIVED_TABLES, 'transaction_search_progress'],
  ]),
];
/** As the migrations make them. */
const TRIGGERS = [
  ...['ledger_events_are_append_only', 'ledger_checkpoints_are_append_only', 'ledger_liabilities_are_append_only'],
  ...['opened', 'moved', 'removed', 'emptied'].map((when) => `transactions_are_counted_when_${when}`),
  'shards_are_counted_before_they_are_taken',
];

/** Tables in which the role that reads for merchants sees one merchant's rows; the service and the auditor see all. */
const WALLED = ['wallets', 'payout_policies', 'transactions', 'transaction_counts'];
const OF_THE_MERCHANT = "(merchant_id = (NULLIF(current_setting('app.merchant_id'::text, true), ''::text))::uuid)";
const POLICIES = [
  'of_the_auditor PERMISSIVE {ledger_auditor} SELECT true',
  `of_the_merchant PERMISSIVE {ledger_merchant} SELECT ${OF_THE_MERCHANT}`,
  'of_the_service PERMISSIVE {ledger_app} ALL true',
];
/** The SHA-256 of what each function does through which merchants' rows are read. */
const FUNCTIONS = {
  merchants_transactions_with_part: '32e5f3c9c85a12ad3a8243b29ff079ef6a9a688d360948c08ebe1fb670e7e9ef',
  merchants_balances: '678cc181d803c402d71af1a7bb93fcb229b1b4906aa59613e1b294a6b6575aeb',
  merchants_deposit_addresses: 'af1ee3d2ea4ed3018f3ba5e7327e440cd4bc4ea2e737055568a333f80f919808',
};

export interface SchemaFault {
  /** A table, or a role. */
  of: string;
  problem: string;
}

export async function findSchemaFaults(sql: Sql): Promise<SchemaFault[]> {
  return sql.$queryRaw<SchemaFault[]>`
    WITH ours AS (
      SELECT name, pg_class.oid, relkind, relrowsecurity, relforcerowsecurity FROM unnest(${TABLES}::text[]) AS name
      LEFT JOIN pg_class ON relname = name AND relnamespace = 'public'::regnamespace
    )
    SELECT name AS of, 'it is no table' AS problem FROM ours WHERE relkind IS DISTINCT FROM 'r'
    UNION ALL
    SELECT name, 'row-level security decides who sees which of its rows, and not as the ledger''s migrations do' FROM ours
    WHERE relforcerowsecurity OR relrowsecurity <> (name = ANY (${WALLED}::text[])) OR relrowsecurity AND ${POLICIES}::text[] <> ARRAY (
      SELECT concat_ws(' ', policyname, permissive, roles, cmd, qual, with_check) FROM pg_policies
      WHERE schemaname = 'public' AND tablename = name ORDER BY policyname)
    UNION ALL
    SELECT format('function %s', proname), 'it does something else than the ledger''s'
    FROM pg_proc JOIN unnest(${Object.keys(FUNCTIONS)}::text[], ${Object.values(FUNCTIONS)}::text[]) AS ours (name, hash)
      ON name = proname
    WHERE encode(sha256(convert_to(prosrc, 'UTF8')), 'hex') <> hash OR NOT prosecdef OR pronamespace <> 'public'::regnamespace
    UNION ALL
    SELECT name, format('rule %s rewrites what is asked of it', rulename) FROM ours JOIN pg_rewrite ON ev_class = ours.oid
    WHERE relkind = 'r'
    UNION ALL
    SELECT name, format('trigger %s is none of the ledger''s', tgname) FROM ours JOIN pg_trigger ON tgrelid = ours.oid
    WHERE NOT tgisinternal AND tgname <> ALL (${TRIGGERS}::text[])
    UNION ALL
    SELECT format('schema %s', nspname), format('its %s is read in the place of the ledger''s by the login of that name', relname)
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace JOIN pg_roles ON rolname = nspname
    WHERE relname = ANY (${TABLES}::text[])
    UNION ALL
    SELECT format('login %s', COALESCE(rolname, 'of any name')), format('it is set to another %s', split_part(setting, '=', 1))
    FROM pg_db_role_setting CROSS JOIN unnest(setconfig) AS setting LEFT JOIN pg_roles ON pg_roles.oid = setrole
    WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
      AND split_part(setting, '=', 1) IN ('search_path', 'row_security', 'session_replication_role', 'local_preload_libraries',
        'session_preload_libraries', 'role')
    ORDER BY 1, 2`;
}
