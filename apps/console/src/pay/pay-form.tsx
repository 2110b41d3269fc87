import { assetTypeOf, CURRENCIES, type Currency, networksOf } from '@stablecoin/money/currency';
import { type SubmitEvent, useState } from 'react';
import type { Schema } from '../api/client';
import { ActButton } from '../forms/act-button';
import { formText } from '../forms/form-text';
import { AmountField, WalletSelect } from '../orders/wallet-select';
import { Refused } from '../shell/states';
import { NETWORK_WORDS } from '../transactions/words';

type Wallet = Schema<'Wallet'>;

/** By the interface's two kinds of destinations. */
export type PayoutFields = { to: 'bank'; body: Schema<'BankPayout'> } | { to: 'address'; body: Schema<'WalletPayout'> };
type Kind = PayoutFields['to'];

const KIND_WORDS: Readonly<Record<Kind, string>> = { bank: 'A bank account', address: 'A crypto address' };
const FIAT = (Object.keys(CURRENCIES) as Currency[]).filter((currency) => assetTypeOf(currency) === 'FIAT');

interface PayFormProps {
  wallets: readonly Wallet[];
  isBusy: boolean;
  error: Error | null;
  submit: (asked: PayoutFields) => void;
}

export function PayForm({ wallets, isBusy, error, submit }: PayFormProps) {
  const [wallet, setWallet] = useState(wallets[0] as Wallet);
  const [amount, setAmount] = useState('');
  const [chosen, setKind] = useState<Kind>('bank');
  const isCrypto = assetTypeOf(wallet.currency) === 'STABLECOIN';
  // National currency goes to banks alone.
  const kind = isCrypto ? chosen : 'bank';
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const terms = { customer_id: wallet.customer_id, currency: wallet.currency, amount: amount.trim() };
    submit(kind === 'bank' ? toBank(form, terms) : toAddress(form, terms));
  };
  return (
    <form className="card stack order-form" onSubmit={send} aria-label="Payout">
      <div className="field-row">
        <WalletSelect label="From" wallets={wallets} chosen={wallet} choose={setWallet} />
        <AmountField currency={wallet.currency} value={amount} change={setAmount} />
      </div>
      {isCrypto ? (
        <fieldset className="choice">
          <legend>To</legend>
          {(Object.keys(KIND_WORDS) as Kind[]).map((one) => (
            <label key={one}>
              <input type="radio" name="kind" value={one} checked={kind === one} onChange={() => setKind(one)} />
              {KIND_WORDS[one]}
            </label>
          ))}
        </fieldset>
      ) : null}
      {kind === 'bank' ? <BankFields /> : <AddressFields currency={wallet.currency} />}
      <Refused error={error} />
      <div className="actions">
        <ActButton type="submit" className="button primary" isBusy={isBusy}>
          {isBusy ? 'Trying it out…' : 'Show what would be sent'}
        </ActButton>
        <span className="quiet">Nothing is sent yet.</span>
      </div>
    </form>
  );
}

type Terms = Pick<Schema<'BankPayout'>, 'customer_id' | 'currency' | 'amount'>;

const optional = (form: HTMLFormElement, name: string) => formText(form, name) || null;

function toBank(form: HTMLFormElement, terms: Terms): PayoutFields {
  const received = optional(form, 'recipient_currency');
  const body: Schema<'BankPayout'> = {
    ...terms,
    account_number: formText(form, 'account_number'),
    bank_code: formText(form, 'bank_code'),
    bank_name: optional(form, 'bank_name'),
    recipient_name: formText(form, 'recipient_name'),
    recipient_country: optional(form, 'recipient_country'),
    ...(received !== null && { recipient_currency: received }),
  };
  return { to: 'bank', body };
}

function toAddress(form: HTMLFormElement, terms: Terms): PayoutFields {
  const [network, address] = [formText(form, 'network'), formText(form, 'address')];
  return { to: 'address', body: { ...terms, network, address, recipient_name: optional(form, 'recipient_name') } };
}

function Field({
  name,
  label,
  max,
  isNeeded = false,
}: {
  name: string;
  label: string;
  max: number;
  isNeeded?: boolean;
}) {
  return (
    <label className="field">
      <span>{isNeeded ? label : `${label} (optional)`}</span>
      <input name={name} type="text" autoComplete="off" maxLength={max} required={isNeeded} />
    </label>
  );
}

function BankFields() {
  return (
    <>
      <div className="field-row">
        <Field name="recipient_name" label="Recipient" max={100} isNeeded />
        <Field name="account_number" label="Account number" max={34} isNeeded />
        <Field name="bank_code" label="Bank code" max={11} isNeeded />
        <Field name="bank_name" label="Bank" max={100} />
        <Field name="recipient_country" label="Country" max={100} />
        <label className="field">
          <span>Recipient’s currency</span>
          <select name="recipient_currency" defaultValue="">
            <option value="">As usual for the wallet</option>
            {FIAT.map((currency) => (
              <option key={currency} value={currency}>
                {currency}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

function AddressFields({ currency }: { currency: Currency }) {
  return (
    <div className="field-row">
      <label className="field">
        <span>Network</span>
        <select name="network" required>
          {networksOf(currency).map((network) => (
            <option key={network} value={network}>
              {NETWORK_WORDS[network] ?? network}
            </option>
          ))}
        </select>
      </label>
      <Field name="recipient_name" label="Recipient" max={100} />
      <label className="field whole">
        <span>Address</span>
        <input name="address" type="text" autoComplete="off" spellCheck={false} maxLength={128} required />
      </label>
    </div>
  );
}
