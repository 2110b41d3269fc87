/**
 * Compares the model, which knows every caller's answers, with the log: nothing lost, nothing doubled, nothing left
 * over.
 */
import { Money } from '@stablecoin/money/money';
import { described, Operation, walletOf } from '../traffic/operation';
import { HeldCurrency } from '../traffic/merchants';
import { LoggedTransaction, ReadLog } from './event-log';

const TYPES = { deposit: 'DEPOSIT', payout: 'PAYOUT', swap: 'INTERNAL TRANSFER' } as const;

export interface Compared {
  /** Acknowledged, and not in the log. */
  lost: string[];
  /** In the log more than once, or never acknowledged. */
  doubled: string[];
  /** In the log otherwise than it was acknowledged. */
  wrong: string[];
  /** Without an end, or with an outcome that stayed unknown. */
  stuck: string[];
  /** Refused, and in the log all the same. */
  leftOver: string[];
}

export function compareWithLog(operations: readonly Operation[], { transactions }: ReadLog): Compared {
  const compared: Compared = { lost: [], doubled: [], wrong: [], stuck: [], leftOver: [] };
  const accountedFor = new Set<string>();
  const byAmount = new Map<string, Operation>();
  const bySwap = new Map<string | undefined, Operation>();
  for (const operation of operations) {
    byAmount.set(operation.amount.toString(), operation);
    if (operation.swapId !== undefined) bySwap.set(operation.swapId, operation);
    if (operation.outcome === 'open') compared.stuck.push(`never known: ${described(operation)}`);
    operation.transactions.forEach((id, leg) => {
      if (accountedFor.has(id)) compared.doubled.push(`told twice, ${id}: ${described(operation)}`);
      accountedFor.add(id);
      checkTold(operation, leg, transactions.get(id), compared);
    });
  }
  for (const transaction of transactions.values()) {
    if (accountedFor.has(transaction.id)) continue;
    // The amount that a swap credits is rounded: several swaps may credit the same one.
    const operation = bySwap.get(transaction.referenceId) ?? byAmount.get(transaction.amount);
    // An open operation is reported already.
    if (operation?.outcome === 'open') continue;
    const found = `${transaction.id}, ${transaction.type} ${transaction.amount} ${transaction.currency}`;
    const whose = operation ? described(operation) : 'of no operation';
    (operation?.outcome === 'refused' ? compared.leftOver : compared.doubled).push(`${found}: ${whose}`);
  }
  return compared;
}

function checkTold(operation: Operation, leg: number, found: LoggedTransaction | undefined, compared: Compared): void {
  if (!found) return void compared.lost.push(described(operation));
  if (found.opened !== 1) compared.doubled.push(`opened ${found.opened} times: ${described(operation)}`);
  const amount = leg === 0 ? operation.amount : (operation.brings as Money);
  const wallet = leg === 0 ? walletOf(operation) : operation.owner.wallets[amount.currency as HeldCurrency];
  const told = [operation.merchant.id, TYPES[operation.kind], wallet, amount.currency, amount.toString()].join(' ');
  const logged = [found.merchantId, found.type, found.walletId, found.currency, found.amount].join(' ');
  if (told !== logged) compared.wrong.push(`in the log as ${logged}: ${described(operation)}`);
  const path = found.statuses.join(' ');
  if (path !== WAYS[operation.ends])
    compared.stuck.push(`${path} instead of ${WAYS[operation.ends]}: ${described(operation)}`);
}

const WAYS = {
  COMPLETED: 'PENDING COMPLETED',
  FAILED: 'PENDING FAILED',
  REVERSED: 'PENDING COMPLETED REVERSED',
} as const;

/** The balance that every wallet must have, by the answers that its owner received. */
export function expectedBalances(operations: readonly Operation[]): Map<string, Money> {
  const balances = new Map<string, Money>();
  const add = (wallet: string, amount: Money) =>
    balances.set(wallet, (balances.get(wallet) ?? Money.zero(amount.currency)).plus(amount));
  for (const operation of operations) {
    if (operation.outcome !== 'acknowledged') continue;
    const { kind, amount, brings, owner, ends } = operation;
    if (kind === 'deposit') add(walletOf(operation), amount);
    else if (ends === 'COMPLETED') add(walletOf(operation), amount.negated());
    if (brings) add(owner.wallets[brings.currency as HeldCurrency], brings);
  }
  return balances;
}
