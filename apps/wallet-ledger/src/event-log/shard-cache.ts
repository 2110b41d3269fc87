import { LedgerCommand, Owner } from '@stablecoin/ledger-domain/commands';
import { Transaction } from '@stablecoin/ledger-domain/entities';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { routeOf } from '@stablecoin/ledger-domain/payout-policy';
import { PayoutRoute, payoutSubjects, UsageName } from '@stablecoin/ledger-domain/payout-usage';
import { loadAccounts, loadHouseAccounts } from '@stablecoin/ledger-store/projections/account.projection';
import { loadClosedCustomers } from '@stablecoin/ledger-store/projections/closed-customer.projection';
import { loadPolicies } from '@stablecoin/ledger-store/projections/payout-policy.projection';
import { loadPayoutUsages } from '@stablecoin/ledger-store/projections/payout-usage.projection';
import { loadTransactions } from '@stablecoin/ledger-store/projections/transaction.projection';
import { loadWallets } from '@stablecoin/ledger-store/projections/wallet.projection';
import { Sql } from '@stablecoin/persistence/sql';
import { UsageCounts } from './usage-counts';

/** Per shard, of which a process holds a few. A full cache takes some 80 MB. */
const WALLETS_MAX = 25_000;
const TRANSACTIONS_MAX = 10_000;
const CUSTOMERS_MAX = 25_000;
const POLICIES_MAX = 25_000;
/** Of each what went out in at most 171 buckets per currency, and mostly in a few. */
const USAGES_MAX = 25_000;
/** A full cache loses this share of its oldest entries at once, so that trimming is rare. */
const TRIMMED_SHARE = 0.2;

/**
 * A shard's part of the ledger in memory, used by the shard's writer alone. It loads what a batch of commands names and
 * memory lacks, in at most one query per table, and forgets its oldest entries when it grows too large.
 */
export class ShardCache {
  readonly state = new LedgerState();
  /** Owners whose wallets are all in the state: another wallet of theirs doesn't exist. */
  private readonly owners = new Set<string>();

  private constructor(
    private readonly shard: number,
    /** Counted and committed, and not in the tables yet. */
    private readonly counts: Pick<UsageCounts, 'find'>,
  ) {}

  static async load(sql: Sql, shard: number, counts: Pick<UsageCounts, 'find'>): Promise<ShardCache> {
    const cache = new ShardCache(shard, counts);
    await loadHouseAccounts(sql, cache.state, shard);
    return cache;
  }

  /** Loads what the commands need to be decided. */
  async prepare(sql: Sql, commands: readonly LedgerCommand[]): Promise<void> {
    const needs = commands.map(needsOf);
    const transactions = needs.flatMap((need) => need.transaction ?? []);
    const loaded = await loadTransactions(
      sql,
      this.state,
      transactions.filter((id) => !this.state.transaction(id)),
    );
    const walletIds = [
      ...needs.flatMap((need) => need.walletId ?? []),
      ...loaded.map((transaction) => transaction.wallet_id),
      ...transactions.flatMap((id) => this.state.transaction(id)?.wallet_id ?? []),
    ];
    await this.prepareWallets(
      sql,
      walletIds,
      needs.flatMap((need) => need.owner ?? []),
    );
    await this.prepareLimits(sql, commands);
  }

  /** The policies by which payouts are judged, and what has gone out by what those limit. */
  private async prepareLimits(sql: Sql, commands: readonly LedgerCommand[]): Promise<void> {
    const judging = commands.filter(({ kind }) => kind === 'HoldPayout' || kind === 'ChangePolicy');
    const merchants = new Set(judging.map(({ merchant_id }) => merchant_id));
    await loadPolicies(
      sql,
      this.state,
      [...merchants].filter((id) => !this.state.policies.has(id)),
    );
    const missing = new Map<string, UsageName>();
    for (const command of commands) {
      const route = countedRoute(command, this.state);
      const names = route ? payoutSubjects(route).all : [];
      for (const name of names) {
        if (this.state.payoutUsages.has(name.key)) continue;
        const counted = this.counts.find(name);
        if (counted) this.state.putPayoutUsage(counted);
        else missing.set(name.key, name);
      }
    }
    await loadPayoutUsages(sql, this.state, [...missing.values()]);
  }

  private async prepareWallets(sql: Sql, walletIds: string[], owners: Owner[]): Promise<void> {
    const ids = [...new Set(walletIds)].filter((id) => !this.state.wallet(id));
    const unknown = new Map(
      owners.filter((owner) => !this.owners.has(keyOf(owner))).map((owner) => [keyOf(owner), owner]),
    );
    if (ids.length > 0 || unknown.size > 0) {
      const wallets = await loadWallets(sql, this.state, this.shard, { ids, owners: [...unknown.values()] });
      await loadAccounts(
        sql,
        this.state,
        this.shard,
        wallets.map(({ id }) => id).filter((id) => !this.state.accounts.has(id)),
      );
      unknown.forEach((_owner, key) => this.owners.add(key));
    }
    const customers = [...owners, ...walletIds.flatMap((id) => this.state.wallet(id) ?? [])]
      .flatMap(({ customer_id }) => customer_id ?? [])
      .filter((id) => !this.state.closedCustomers.has(id));
    await loadClosedCustomers(sql, this.state, [...new Set(customers)]);
  }

  /** Whether it is time to `trim`. */
  isFull(): boolean {
    const { wallets, closedCustomers, policies, payoutUsages } = this.state;
    return (
      wallets.size > WALLETS_MAX ||
      closedCustomers.size > CUSTOMERS_MAX ||
      this.owners.size > CUSTOMERS_MAX ||
      policies.size > POLICIES_MAX ||
      payoutUsages.size > USAGES_MAX
    );
  }

  /**
   * Forgets the oldest wallets and customers. Only while every decision is committed: what a batch has changed must not be
   * loaded again from tables that don't have it yet.
   */
  trim(): void {
    const { wallets, closedCustomers, policies, payoutUsages } = this.state;
    for (const wallet of oldest(wallets, WALLETS_MAX)) {
      this.state.forgetWallet(wallet);
      this.owners.delete(keyOf(wallet));
    }
    if (closedCustomers.size > CUSTOMERS_MAX) closedCustomers.clear();
    if (this.owners.size > CUSTOMERS_MAX) this.owners.clear();
    if (policies.size > POLICIES_MAX) policies.clear();
    for (const { key } of oldest(payoutUsages, USAGES_MAX)) payoutUsages.delete(key);
  }

  /** Forgets the oldest transactions, except those that the batch under way moves. */
  trimTransactions(underWay: readonly Transaction[]): void {
    const forgotten = oldest(this.state.transactions, TRANSACTIONS_MAX);
    if (forgotten.length === 0) return;
    const kept = new Set(underWay.map(({ id }) => id));
    for (const transaction of forgotten) if (!kept.has(transaction.id)) this.state.forgetTransaction(transaction);
  }
}

function needsOf(command: LedgerCommand): { owner?: Owner; walletId?: string; transaction?: string } {
  switch (command.kind) {
    case 'OpenWallet':
    case 'HoldPayout':
    case 'PostSwap':
    case 'CloseCustomer':
      return { owner: command };
    case 'RecordDeposit':
      return { walletId: command.wallet_id };
    case 'ConfirmDeposit':
    case 'FailDeposit':
    case 'ReverseDeposit':
    case 'ApprovePayout':
    case 'RejectPayout':
    case 'EndPayoutWait':
      return { transaction: command.transaction };
    case 'ChangePolicy':
      return {};
    case 'ResolvePayout': {
      const { transaction, merchant_id, resolution } = command;
      // What comes back to a closed customer goes on to the merchant.
      return { transaction, ...(resolution === 'REVERSED' && { owner: { merchant_id, customer_id: null } }) };
    }
  }
}

/** Of the payout whose counts a command reads or changes: one that is held, or one that was. */
function countedRoute(command: LedgerCommand, state: LedgerState): PayoutRoute | undefined {
  if (command.kind === 'HoldPayout') {
    const { destination_hash: destination } = command;
    return destination && state.policy(command.merchant_id) ? routeOf(command, destination) : undefined;
  }
  const moved = 'transaction' in command ? state.transaction(command.transaction) : undefined;
  if (!moved?.under_policy) return undefined;
  const { merchant_id, customer_id, network } = moved;
  return { merchant_id, customer_id, network, destination: moved.under_policy.destination };
}

const keyOf = ({ merchant_id, customer_id }: Owner) => `${merchant_id}/${customer_id ?? ''}`;

/** A map keeps the order in which its keys were first set. */
function oldest<Value>(map: Map<string, Value>, bound: number): Value[] {
  if (map.size <= bound) return [];
  return [...map.values()].slice(0, map.size - Math.floor(bound * (1 - TRIMMED_SHARE)));
}
