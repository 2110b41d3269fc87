/**
 * Turns events into rows. The writer folds a batch into its state and projects it in the transaction that appends; a
 * replay does the same with the events of the log. Only the last state of each row is written. What payouts count for the
 * writer writes beside its commits.
 */
import { Account, PolicyInForce, Transaction, Wallet } from '@stablecoin/ledger-domain/entities';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { payoutSubjects, PayoutUsage } from '@stablecoin/ledger-domain/payout-usage';
import { Sql } from '@stablecoin/persistence/sql';
import { writeAccounts } from './account.projection';
import { ClosedCustomer, writeClosedCustomers } from './closed-customer.projection';
import { writePolicies } from './payout-policy.projection';
import { writePayoutUsages } from './payout-usage.projection';
import { insertTransactions, updateTransactions } from './transaction.projection';
import { writeWallets } from './wallet.projection';

/** What a sequence of events has changed, each entity in its state after the last event. */
export interface ProjectionChanges {
  wallets: Wallet[];
  accounts: Account[];
  closedCustomers: ClosedCustomer[];
  policies: PolicyInForce[];
  payoutUsages: PayoutUsage[];
  openedTransactions: Transaction[];
  movedTransactions: Transaction[];
}

/** @param state with all of `events` applied */
export function projectionChanges(events: readonly RecordedEvent[], state: LedgerState): ProjectionChanges {
  const wallets = new Set<string>();
  const accounts = new Set<string>();
  const opened = new Set<string>();
  const moved = new Set<string>();
  const closedCustomers: ClosedCustomer[] = [];
  const policies = new Set<string>();
  const counted = new Set<string>();
  const move = (transaction: string) => {
    if (!opened.has(transaction)) moved.add(transaction);
    counted.add(transaction);
  };
  for (const { event, customer_id, merchant_id, recorded_at } of events) {
    switch (event.type) {
      case 'WalletOpened':
      case 'DepositAddressAdded':
        wallets.add(event.wallet_id);
        break;
      case 'CustomerClosed':
        closedCustomers.push({ customer_id: customer_id as string, merchant_id, closed_at: recorded_at });
        break;
      case 'DebitPosted':
        accounts.add(event.account_id);
        if (event.opens) opened.add(event.opens.id);
        if (event.judged) counted.add(event.transaction);
        break;
      case 'CreditPosted':
        accounts.add(event.account_id);
        break;
      case 'TransactionStatusChanged':
        accounts.add(event.account_id);
        if (event.opens) opened.add(event.opens.id);
        else if (!opened.has(event.transaction)) moved.add(event.transaction);
        if (event.to === 'FAILED') counted.add(event.transaction);
        break;
      case 'PolicyChanged':
        policies.add(merchant_id);
        break;
      case 'PolicyApplied':
      case 'PayoutApproved':
      case 'PayoutReleased':
      case 'PayoutRejected':
        move(event.transaction);
        break;
    }
  }
  return {
    wallets: [...wallets].map((id) => present(state.wallets.get(id), id)),
    accounts: [...accounts].map((id) => present(state.accounts.get(id), id)),
    closedCustomers,
    policies: [...policies].map((id) => present(state.policy(id), id)),
    payoutUsages: usagesOf(
      [...counted].map((id) => present(state.transactions.get(id), id)),
      state,
    ),
    openedTransactions: [...opened].map((id) => present(state.transactions.get(id), id)),
    movedTransactions: [...moved].map((id) => present(state.transactions.get(id), id)),
  };
}

/** Everything for which these payouts count. */
function usagesOf(payouts: readonly Transaction[], state: LedgerState): PayoutUsage[] {
  const usages = new Map<string, PayoutUsage>();
  for (const { merchant_id, customer_id, network, under_policy } of payouts) {
    if (!under_policy) continue;
    const { destination } = under_policy;
    for (const { key } of payoutSubjects({ merchant_id, customer_id, network, destination }).all) {
      usages.set(key, present(state.payoutUsages.get(key), key));
    }
  }
  return [...usages.values()];
}

export async function writeProjections(sql: Sql, shard: number, changes: ProjectionChanges): Promise<void> {
  await writeWallets(sql, shard, changes.wallets);
  await writeClosedCustomers(sql, changes.closedCustomers);
  await writePolicies(sql, shard, changes.policies);
  await writePayoutUsages(sql, shard, changes.payoutUsages);
  await insertTransactions(sql, shard, changes.openedTransactions);
  await updateTransactions(sql, changes.movedTransactions);
  await writeAccounts(sql, shard, changes.accounts);
}

function present<Thing>(thing: Thing | undefined, id: string): Thing {
  if (thing === undefined) throw new Error(`${id} is not in the state that its events were applied to`);
  return thing;
}
