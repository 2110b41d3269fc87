import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { Amount } from '../amounts/amount';
import { formatRate } from '../amounts/amounts';
import { answered, backOffice, type Schema } from '../api/client';
import { ActButton } from '../forms/act-button';
import { Review, WithPasskey } from '../orders/review';
import { useBackToForm } from '../orders/use-back-to-form';
import { AmountField, beginningWith, WalletSelect } from '../orders/wallet-select';
import { Fact } from '../shell/fact';
import { Answered, Empty, Refused } from '../shell/states';
import { walletsQuestion } from '../wallets/questions';

type Wallet = Schema<'Wallet'>;
type Terms = Schema<'SwapTerms'>;

const route = getRouteApi('/inside/swap');

export function SwapPage() {
  return (
    <>
      <header className="page-header">
        <h1>Swap</h1>
      </header>
      <WithPasskey what="swap">
        <BetweenWallets />
      </WithPasskey>
    </>
  );
}

function BetweenWallets() {
  const { wallet_id: walletId, ...owner } = route.useSearch();
  // Of another owner or wallet the form begins anew: nothing that was filled in or reviewed for the one before is left.
  const of = `${owner.customer_id ?? ''} ${walletId ?? ''}`;
  return (
    <Answered to={useQuery(walletsQuestion(undefined, owner))} what="wallets">
      {({ data }) => {
        const wallets = beginningWith(walletId, data);
        const [first, second] = wallets;
        if (first === undefined || second === undefined) return <TooFewWallets />;
        return <Composer key={of} wallets={wallets} first={first} second={second} />;
      }}
    </Answered>
  );
}

function TooFewWallets() {
  return (
    <Empty title="A swap needs two wallets">
      <p>One in each currency: open what is missing through the API.</p>
      <Link to="/wallets" search={{}} className="button">
        Look at wallets
      </Link>
    </Empty>
  );
}

const quoteFor = (body: Terms) => answered(backOffice.POST('/api/swaps/options', { body }));

function Composer({ wallets, first, second }: { wallets: readonly Wallet[]; first: Wallet; second: Wallet }) {
  const navigate = route.useNavigate();
  const show = useMutation({ mutationFn: quoteFor, gcTime: 0 });
  const { data: offer, variables } = show;
  const form = useBackToForm(offer !== undefined);
  return (
    <>
      <div ref={form} hidden={offer !== undefined}>
        <SwapForm
          wallets={wallets}
          begins={[first, second]}
          isBusy={show.isPending}
          error={show.error}
          submit={(terms) => show.mutate(terms)}
        />
      </div>
      {offer === undefined ? null : (
        <Review
          title={
            <>
              <Amount amount={offer.terms.from_amount} currency={offer.terms.from_currency} /> for{' '}
              <Amount amount={offer.terms.to_amount} currency={offer.terms.to_currency} />
            </>
          }
          offer={offer}
          verb="Swap"
          send={(body) => answered(backOffice.POST('/api/swaps', { body }))}
          done={({ data: { debit } }) =>
            void navigate({ to: '/transactions/$transactionId', params: { transactionId: debit.transaction_id } })
          }
          change={() => show.reset()}
          again={() => show.mutate(variables)}
        >
          <dl className="facts two">
            <Exchanged offer={offer} />
          </dl>
        </Review>
      )}
    </>
  );
}

function Exchanged({ offer: { terms, preview } }: { offer: Awaited<ReturnType<typeof quoteFor>> }) {
  const { from_currency: from, to_currency: to, from_amount: paid, to_amount: received, price } = terms;
  return (
    <>
      <Fact name="You give">
        <Amount amount={paid} currency={from} />
      </Fact>
      <Fact name="You get">
        <Amount amount={received} currency={to} />
      </Fact>
      <Fact name="Price">
        1 {from} = {formatRate(price)} {to}
      </Fact>
      <Fact name={`Left in ${from}`}>
        <Amount amount={preview.debit.balance} currency={from} />
      </Fact>
      <Fact name={`Then in ${to}`}>
        <Amount amount={preview.credit.balance} currency={to} />
      </Fact>
    </>
  );
}

interface SwapFormProps {
  wallets: readonly Wallet[];
  begins: readonly [Wallet, Wallet];
  isBusy: boolean;
  error: Error | null;
  submit: (terms: Terms) => void;
}

function SwapForm({ wallets, begins: [first, second], isBusy, error, submit }: SwapFormProps) {
  const [from, setFrom] = useState(first);
  const [wanted, setTo] = useState(second);
  const [amount, setAmount] = useState('');
  const others = wallets.filter(({ currency }) => currency !== from.currency);
  const to = wanted.currency === from.currency ? (others[0] ?? wanted) : wanted;
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [customer_id, from_currency, to_currency] = [from.customer_id, from.currency, to.currency];
    submit({ customer_id, from_currency, to_currency, amount: amount.trim() });
  };
  return (
    <form className="card stack order-form" onSubmit={send} aria-label="Swap">
      <div className="field-row">
        <WalletSelect label="From" wallets={wallets} chosen={from} choose={setFrom} />
        <WalletSelect label="To" wallets={others} chosen={to} choose={setTo} />
        <AmountField currency={from.currency} value={amount} change={setAmount} />
      </div>
      <Refused error={error} />
      <div className="actions">
        <ActButton type="submit" className="button primary" isBusy={isBusy}>
          {isBusy ? 'Asking for a price…' : 'Get a quote'}
        </ActButton>
        <span className="quiet">Nothing is exchanged yet.</span>
      </div>
    </form>
  );
}
