import { formatAmount } from './amounts';

/** An amount with its currency; a credit may be marked as such, since colour alone tells nothing to some readers. */
export function Amount({ amount, currency, sign }: { amount: string; currency: string; sign?: 'CREDIT' | 'DEBIT' }) {
  const mark = sign === undefined ? '' : sign === 'CREDIT' ? '+' : '−';
  return (
    <span className="amount">
      {mark}
      {formatAmount(amount)} <span className="currency">{currency}</span>
    </span>
  );
}
