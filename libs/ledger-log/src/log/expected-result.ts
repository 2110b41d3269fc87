/**
 * What a command was answered, worked out from its events: the transaction, both of a swap, or the wallet, as they were right
 * after the first of its groups. Written apart from the ledger's own views, whose answers it checks.
 */
import { canonicalText } from '@stablecoin/event-chain/canonical-text';
import { Account, Transaction, Wallet } from '@stablecoin/ledger-domain/entities';
import { PolicyChanged, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { assetTypeOf } from '@stablecoin/money/currency';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Answer = Record<string, Json>;

/**
 * @param group the first of its command, all of whose events `state` has applied
 * @returns the answer's JSON; the fields of a transaction are in the order in which the ledger writes them
 */
export function expectedResult(group: readonly RecordedEvent[], state: LedgerState): string | undefined {
  const expected = expectedAnswer(group, state);
  return expected && JSON.stringify(expected);
}

function expectedAnswer(group: readonly RecordedEvent[], state: LedgerState): object | undefined {
  const [first] = group;
  if (!first) return undefined;
  const { event, movement } = first;
  if (event.type === 'CustomerClosed') return { customer_id: first.customer_id };
  if (event.type === 'PolicyChanged') return shownPolicy(first, event);
  if (event.type === 'WalletOpened' || event.type === 'DepositAddressAdded') {
    const wallet = state.wallet(event.wallet_id);
    return wallet && shownWallet(wallet, state.account(wallet.id, wallet.currency));
  }
  const transactions = [...new Set(group.map(transactionOf))].map((id) => state.transaction(id));
  if (transactions.includes(undefined)) return undefined;
  const [transaction, ...others] = transactions as [Transaction, ...Transaction[]];
  if (movement !== 'swap-accepted') return shownTransaction(transaction);
  const both = [transaction, ...others];
  const of = (mode: string) => both.filter(({ transaction_mode }) => transaction_mode === mode).map(shownTransaction);
  return { debit_transaction: of('DEBIT')[0] ?? null, credit_transaction: of('CREDIT')[0] ?? null };
}

const transactionOf = ({ event }: RecordedEvent): string => ('transaction' in event ? event.transaction : '');

/** Fields that are undefined are in no JSON: to copy an object and leave some out in it takes far longer. */
function shownTransaction(transaction: Transaction): object {
  const { currency, under_policy } = transaction;
  const approvals = under_policy?.approvals.map(({ key_id, at }) => ({ api_key_id: key_id, approved_at: at })) ?? [];
  return {
    ...transaction,
    ...{ wallet_id: undefined, position: undefined, currency: undefined, under_policy: undefined },
    asset_code: currency,
    approval_hash: under_policy?.approval?.hash ?? null,
    approvals_required: under_policy?.approval?.approvers ?? null,
    approvals: under_policy?.approval ? approvals : null,
    approval_expires_at: under_policy?.approval?.expires_at ?? null,
    send_after: under_policy?.send_after ?? null,
  };
}

function shownPolicy({ merchant_id, recorded_at }: RecordedEvent, event: PolicyChanged): object {
  const { policy_version, policy, changed_by, reason } = event;
  return { merchant_id, policy_version, policy, changed_by, reason, changed_at: recorded_at };
}

function shownWallet(wallet: Wallet, account: Account): object {
  const { address_index: _, position: __, currency, updated_at, ...shown } = wallet;
  return {
    ...shown,
    asset_type: assetTypeOf(currency),
    currency,
    balance: account.balance.toString(),
    status: 'active',
    updated_at: account.updated_at > updated_at ? account.updated_at : updated_at,
  };
}

/**
 * The fields in which the events contradict a stored answer.
 *
 * @param stored nearly always the text that is expected, and then there is nothing to look at
 */
export function contradictedFields(stored: string, expected: string): string[] {
  return stored === expected ? [] : differingFields(parsedAnswer(stored), JSON.parse(expected) as Answer);
}

/** Undefined for what is no JSON object. */
export function parsedAnswer(stored: string): Answer | undefined {
  try {
    const value = JSON.parse(stored) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}

/** The fields in which a stored answer differs from the expected one. One that a version before did not show may be absent. */
function differingFields(stored: unknown, expected: Answer): string[] {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return ['the whole'];
  const found = stored as Answer;
  return [...new Set([...Object.keys(found), ...Object.keys(expected)])].flatMap((field) => {
    const [one, other] = [found[field], expected[field] ?? null];
    if (one === undefined) return other === null ? [] : [field];
    if (!(field in expected)) return [field];
    if (isAnswer(one) && isAnswer(other)) return differingFields(one, other).map((inner) => `${field}.${inner}`);
    // The log has the fields of an object in another order than an answer.
    return canonicalText(one) === canonicalText(other) ? [] : [field];
  });
}

const isAnswer = (value: Json): value is Answer => typeof value === 'object' && value !== null && !Array.isArray(value);
