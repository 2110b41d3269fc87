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

/** @param group the first of its command, all of whose events `state` has applied */
export function expectedResult(group: readonly RecordedEvent[], state: LedgerState): Answer | undefined {
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
  const shown = (transactions as Transaction[]).map(shownTransaction);
  if (movement !== 'swap-accepted') return shown[0];
  const of = (mode: string) => shown.find(({ transaction_mode }) => transaction_mode === mode) ?? null;
  return { debit_transaction: of('DEBIT'), credit_transaction: of('CREDIT') };
}

const transactionOf = ({ event }: RecordedEvent): string => ('transaction' in event ? event.transaction : '');

export function shownTransaction(transaction: Transaction): Answer {
  const { wallet_id: _, position: __, currency, under_policy, ...shown } = transaction;
  const approvals = under_policy?.approvals.map(({ key_id, at }) => ({ api_key_id: key_id, approved_at: at })) ?? [];
  return asJson({
    ...shown,
    asset_code: currency,
    approval_hash: under_policy?.approval?.hash ?? null,
    approvals_required: under_policy?.approval?.approvers ?? null,
    approvals: under_policy?.approval ? approvals : null,
    approval_expires_at: under_policy?.approval?.expires_at ?? null,
    send_after: under_policy?.send_after ?? null,
  });
}

function shownPolicy({ merchant_id, recorded_at }: RecordedEvent, event: PolicyChanged): Answer {
  const { policy_version, policy, changed_by, reason } = event;
  return asJson({ merchant_id, policy_version, policy, changed_by, reason, changed_at: recorded_at });
}

export function shownWallet(wallet: Wallet, account: Account): Answer {
  const { address_index: _, position: __, currency, updated_at, ...shown } = wallet;
  return asJson({
    ...shown,
    asset_type: assetTypeOf(currency),
    currency,
    balance: account.balance.toString(),
    status: 'active',
    updated_at: account.updated_at > updated_at ? account.updated_at : updated_at,
  });
}

const asJson = (value: object): Answer => JSON.parse(JSON.stringify(value)) as Answer;

/** The fields in which a stored answer differs from the expected one. One that a version before did not show may be absent. */
export function differingFields(stored: unknown, expected: Answer, ignored: readonly string[] = []): string[] {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return ['the whole'];
  const found = stored as Answer;
  return [...new Set([...Object.keys(found), ...Object.keys(expected)])].flatMap((field) => {
    if (ignored.includes(field)) return [];
    const [one, other] = [found[field], expected[field] ?? null];
    if (one === undefined) return other === null ? [] : [field];
    if (!(field in expected)) return [field];
    if (isAnswer(one) && isAnswer(other))
      return differingFields(one, other, ignored).map((inner) => `${field}.${inner}`);
    // The log has the fields of an object in another order than an answer.
    return canonicalText(one) === canonicalText(other) ? [] : [field];
  });
}

const isAnswer = (value: Json): value is Answer => typeof value === 'object' && value !== null && !Array.isArray(value);
