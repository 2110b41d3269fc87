import type { Schema } from '../api/client';
import { formatAmount } from '../amounts/amounts';

type Wallet = Schema<'Wallet'>;

/** The one that was named comes first. */
export const beginningWith = (walletId: string | undefined, wallets: readonly Wallet[]): readonly Wallet[] => [
  ...wallets.filter(({ id }) => id === walletId),
  ...wallets.filter(({ id }) => id !== walletId),
];

interface WalletSelectProps {
  label: string;
  wallets: readonly Wallet[];
  chosen: Wallet;
  choose: (wallet: Wallet) => void;
}

export function WalletSelect({ label, wallets, chosen, choose }: WalletSelectProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <select
        value={chosen.id}
        onChange={({ target }) => {
          const wallet = wallets.find(({ id }) => id === target.value);
          if (wallet !== undefined) choose(wallet);
        }}
      >
        {wallets.map(({ id, currency, balance, description }) => (
          <option key={id} value={id}>
            {currency} · {formatAmount(balance)}
            {description === '' ? '' : ` · ${description}`}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Digits alone: an amount never passes through a number. */
export function AmountField({
  currency,
  value,
  change,
}: {
  currency: string;
  value: string;
  change: (text: string) => void;
}) {
  return (
    <label className="field">
      <span>Amount in {currency}</span>
      <input
        name="amount"
        type="text"
        inputMode="decimal"
        pattern="[0-9]+([.][0-9]+)?"
        title="Digits, with a point before decimals"
        autoComplete="off"
        required
        value={value}
        onChange={({ target }) => change(target.value)}
      />
    </label>
  );
}
