/**
 * Folds one shard's log into tables that were empty, with the code that projects live. What a page of events names and
 * memory lacks is loaded from those tables. Memory is given up when it grows too large: after a page has been written the
 * tables hold everything.
 */
import { LedgerEvent, Movement, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { payoutSubjects, PayoutUsage } from '@stablecoin/ledger-domain/payout-usage';
import { loadAccounts, loadHouseAccounts } from '@stablecoin/ledger-store/projections/account.projection';
import { loadClosedCustomers } from '@stablecoin/ledger-store/projections/closed-customer.projection';
import { projectionChanges, writeProjections } from '@stablecoin/ledger-store/projections/project';
import { loadPolicies } from '@stablecoin/ledger-store/projections/payout-policy.projection';
import { loadPayoutUsages, writePayoutUsages } from '@stablecoin/ledger-store/projections/payout-usage.projection';
import { loadTransactions } from '@stablecoin/ledger-store/projections/transaction.projection';
import { loadWallets } from '@stablecoin/ledger-store/projections/wallet.projection';
import { Sql } from '@stablecoin/persistence/sql';
import { OF_OPEN_CUSTOMERS } from '../log/ledger-rules';

export interface RebuildLimits {
  maxWallets: number;
  maxTransactions: number;
}

/** Small, so that a long log takes no more memory than a short one; loading open transactions again costs little. */
const LIMITS: RebuildLimits = { maxWallets: 10_000, maxTransactions: 10_000 };

export class ShardRebuild {
  state = new LedgerState();
  private forgotten = false;
  /** What payouts count for that was folded and not written. */
  private readonly uncounted = new Map<string, PayoutUsage>();

  constructor(
    private readonly shard: number,
    private readonly limits: RebuildLimits = LIMITS,
  ) {}

  /** Gives its memory up: every page was written to the tables. */
  forget(): void {
    this.state = new LedgerState();
    this.uncounted.forEach((usage) => this.state.putPayoutUsage(usage));
    this.forgotten = true;
  }

  /** Writes what was kept, for tables that take the place of the live ones. */
  writeUncounted(sql: Sql): Promise<void> {
    return writePayoutUsages(sql, this.shard, [...this.uncounted.values()]);
  }

  /**
   * Loads what the events name.
   *
   * @param openings whether to look up the transactions that they open as well. None of them should exist yet. Without
   * looking, the tables refuse one that does, but don't name the event
   */
  async prepare(sql: Sql, events: readonly RecordedEvent[], openings: boolean): Promise<void> {
    if (this.forgotten) await loadHouseAccounts(sql, this.state, this.shard);
    this.forgotten = false;
    const { state, shard } = this;
    const needs = events.map(({ event }) => needsOf(event));
    const opened = new Set(openings ? [] : needs.flatMap((need) => need.opened));
    const references = distinct(needs.flatMap((need) => [...need.transactions, ...(openings ? need.opened : [])]));
    const loaded = await loadTransactions(
      sql,
      state,
      references.filter((reference) => !opened.has(reference) && !state.transaction(reference)),
    );
    const named = needs.flatMap(({ wallets }) => wallets).concat(loaded.map(({ wallet_id }) => wallet_id));
    const isOfAll = ({ event: { type } }: RecordedEvent) => type === 'WalletOpened' || type === 'CustomerClosed';
    const owners = events.filter(isOfAll);
    const ids = distinct(named).filter((id) => !state.wallet(id));
    if (ids.length > 0 || owners.length > 0) {
      const wallets = await loadWallets(sql, state, shard, { ids, owners });
      await loadAccounts(
        sql,
        state,
        shard,
        wallets.map(({ id }) => id).filter((id) => !state.accounts.has(id)),
      );
    }
    const judged = events.flatMap(({ movement, customer_id }) =>
      customer_id !== null && asksWhetherClosed(movement) ? customer_id : [],
    );
    await loadClosedCustomers(
      sql,
      state,
      distinct(judged).filter((id) => !state.closedCustomers.has(id)),
    );
    await this.preparePolicies(sql, events);
  }

  /** The policies of the merchants in the page, and the usages of all payouts that it judges or moves. */
  private async preparePolicies(sql: Sql, events: readonly RecordedEvent[]): Promise<void> {
    const { state } = this;
    const merchants = distinct(events.map(({ merchant_id }) => merchant_id));
    await loadPolicies(
      sql,
      state,
      merchants.filter((id) => !state.policies.has(id)),
    );
    const opened = new Map(events.flatMap(({ event }) => openedBy(event)).map((opens) => [opens.id, opens]));
    const named = events.flatMap(({ event, merchant_id, customer_id }) => {
      if (!('transaction' in event)) return [];
      const network = opened.get(event.transaction)?.network ?? state.transaction(event.transaction)?.network ?? null;
      const destination = destinationOf(event) ?? state.transaction(event.transaction)?.under_policy?.destination;
      if (destination === undefined) return [];
      return payoutSubjects({ merchant_id, customer_id, destination, network }).all;
    });
    const missing = new Map(named.map((name) => [name.key, name]));
    for (const key of missing.keys()) if (state.payoutUsages.has(key)) missing.delete(key);
    await loadPayoutUsages(sql, state, [...missing.values()]);
  }

  /**
   * Writes what the events, all of them applied, have changed.
   *
   * @param isCounted whether the live table has what these payouts count for: else it is kept in memory, so that the tables
   * stay comparable
   */
  async write(sql: Sql, events: readonly RecordedEvent[], isCounted = true): Promise<void> {
    const changes = projectionChanges(events, this.state);
    await writeProjections(sql, this.shard, isCounted ? changes : { ...changes, payoutUsages: [] });
    for (const usage of changes.payoutUsages) {
      if (isCounted) this.uncounted.delete(usage.key);
      else this.uncounted.set(usage.key, usage);
    }
    const { wallets, transactions, payoutUsages } = this.state;
    const { maxWallets, maxTransactions } = this.limits;
    const isFull = wallets.size > maxWallets || transactions.size > maxTransactions || payoutUsages.size > maxWallets;
    if (isFull) this.forget();
  }
}

const ASKS_WHETHER_CLOSED: ReadonlySet<Movement> = new Set(['customer-closed', 'payout-reversed', 'transfer-sent']);
const asksWhetherClosed = (movement: Movement): boolean =>
  ASKS_WHETHER_CLOSED.has(movement) || OF_OPEN_CUSTOMERS.has(movement);

interface Needs {
  wallets: string[];
  /** By `id`. */
  transactions: string[];
  /** `id` and `transaction_id` of a transaction that opens: both must be free. */
  opened: string[];
}

function needsOf(event: LedgerEvent): Needs {
  switch (event.type) {
    case 'WalletOpened':
    case 'DepositAddressAdded':
      return { wallets: [event.wallet_id], transactions: [], opened: [] };
    case 'CustomerClosed':
    case 'PolicyChanged':
      return { wallets: [], transactions: [], opened: [] };
    case 'PolicyApplied':
    case 'PayoutApproved':
    case 'PayoutReleased':
    case 'PayoutRejected':
      return { wallets: [], transactions: [event.transaction], opened: [] };
    case 'CreditPosted':
      return { wallets: walletsIn(event.account_id), transactions: [event.transaction], opened: [] };
    case 'DebitPosted':
    case 'TransactionStatusChanged': {
      const { account_id, transaction, opens } = event;
      return {
        wallets: walletsIn(account_id, opens?.wallet_id, opens?.sender_wallet_id, opens?.receiver_wallet_id),
        transactions: [transaction],
        opened: opens ? [opens.id, opens.transaction_id] : [],
      };
    }
  }
}

function destinationOf(event: LedgerEvent): string | undefined {
  if (event.type === 'DebitPosted') return event.judged?.destination;
  return event.type === 'PolicyApplied' ? event.destination : undefined;
}

const openedBy = (event: LedgerEvent) => ('opens' in event && event.opens ? [event.opens] : []);

const walletsIn = (...accounts: (string | undefined)[]) =>
  accounts.filter((id): id is string => id !== undefined && !id.includes(':'));

const distinct = (values: readonly string[]) => [...new Set(values)];
