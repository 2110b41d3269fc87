import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { PolicyInForce } from '@stablecoin/ledger-domain/entities';
import { PayoutPolicy } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { columnsOf } from '@stablecoin/persistence/columns';
import { Reads, Sql } from '@stablecoin/persistence/sql';

/** `payout_policies`: the policy of each merchant that has one. The fold is `changedPolicy`. */
export async function writePolicies(sql: Sql, shard: number, policies: readonly PolicyInForce[]): Promise<void> {
  if (policies.length === 0) return;
  const column = columnsOf(
    policies.map(({ policy, ...row }) => ({ ...row, policy: canonicalText(policy as unknown as CanonicalValue) })),
  );
  await sql.$executeRaw`
    INSERT INTO payout_policies (merchant_id, policy_version, policy, changed_by, reason, changed_at, since_position, shard)
    SELECT policy.*, ${shard}::int
    FROM unnest(
      ${column('merchant_id')}::uuid[],
      ${column('policy_version')}::int[],
      ${column('policy')}::text[],
      ${column('changed_by')}::text[],
      ${column('reason')}::text[],
      ${column('changed_at')}::timestamptz[],
      ${column('since_position')}::bigint[]
    ) AS policy
    ON CONFLICT (merchant_id) DO UPDATE SET
      policy_version = excluded.policy_version, policy = excluded.policy, changed_by = excluded.changed_by,
      reason = excluded.reason, changed_at = excluded.changed_at`;
}

/** Records in the state, for each of these merchants, its policy, or that it has none. */
export async function loadPolicies(sql: Sql, state: LedgerState, merchantIds: readonly string[]): Promise<void> {
  if (merchantIds.length === 0) return;
  const found = await policiesOf(sql, merchantIds);
  merchantIds.forEach((id) => state.policies.set(id, null));
  found.forEach((policy) => state.putPolicy(policy));
}

export async function policiesOf(sql: Reads, merchantIds: readonly string[]): Promise<PolicyInForce[]> {
  const rows = await sql.$queryRaw<PolicyRow[]>`
    SELECT merchant_id::text, policy_version, policy, changed_by, reason, since_position,
      to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS changed_at
    FROM payout_policies WHERE merchant_id = ANY (${[...merchantIds]}::uuid[])`;
  return rows.map((row) => ({
    ...row,
    policy: JSON.parse(row.policy) as PayoutPolicy,
    since_position: Number(row.since_position),
  }));
}

type PolicyRow = Omit<PolicyInForce, 'policy' | 'since_position'> & { policy: string; since_position: bigint };
