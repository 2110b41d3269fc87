import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Amount } from '../amounts/amount';
import { formatAmount, formatRate, sumOf } from '../amounts/amounts';
import { answered, backOffice, type Schema } from '../api/client';
import { Review, WithPasskey } from '../orders/review';
import { Fact } from '../shell/fact';
import { useBackToForm } from '../orders/use-back-to-form';
import { Answered, Empty } from '../shell/states';
import { FullMoment } from '../times/moment';
import { Destination, recipientOf } from '../transactions/destination';
import { beginningWith } from '../orders/wallet-select';
import { walletsQuestion } from '../wallets/questions';
import { PayForm, type PayoutFields } from './pay-form';

const route = getRouteApi('/inside/pay');

export function PayPage() {
  return (
    <>
      <header className="page-header">
        <h1>Pay</h1>
      </header>
      <WithPasskey what="pay">
        <FromWallets />
      </WithPasskey>
    </>
  );
}

function FromWallets() {
  const { wallet_id: walletId, ...owner } = route.useSearch();
  // Of another owner or wallet the form begins anew: nothing that was filled in or reviewed for the one before is left.
  const of = `${owner.customer_id ?? ''} ${walletId ?? ''}`;
  return (
    <Answered to={useQuery(walletsQuestion(undefined, owner))} what="wallets">
      {({ data: wallets }) =>
        wallets.length === 0 ? <NoWallet /> : <Composer key={of} wallets={beginningWith(walletId, wallets)} />
      }
    </Answered>
  );
}

function NoWallet() {
  return (
    <Empty title="There is no wallet to pay from">
      <p>Open one through the API, and put money into it: it appears here.</p>
      <Link to="/wallets" search={{}} className="button">
        Look at wallets
      </Link>
    </Empty>
  );
}

const offerFor = (asked: PayoutFields) =>
  answered(
    asked.to === 'bank'
      ? backOffice.POST('/api/payouts/banks/options', { body: asked.body })
      : backOffice.POST('/api/payouts/wallets/options', { body: asked.body }),
  );

/** The form stays filled in behind what is shown of it. */
function Composer({ wallets }: { wallets: readonly Schema<'Wallet'>[] }) {
  const navigate = route.useNavigate();
  const show = useMutation({ mutationFn: offerFor, gcTime: 0 });
  const { data: offer, variables } = show;
  const form = useBackToForm(offer !== undefined);
  return (
    <>
      <div ref={form} hidden={offer !== undefined}>
        <PayForm wallets={wallets} isBusy={show.isPending} error={show.error} submit={(asked) => show.mutate(asked)} />
      </div>
      {offer === undefined ? null : (
        <Review
          title={<>Pay {recipientOf(offer.preview)}</>}
          offer={offer}
          verb="Pay"
          send={(body) => answered(backOffice.POST('/api/payouts', { body }))}
          done={({ data: { transaction_id: transactionId } }) =>
            void navigate({ to: '/transactions/$transactionId', params: { transactionId } })
          }
          change={() => show.reset()}
          again={() => show.mutate(variables)}
        >
          <Waits preview={offer.preview} />
          <dl className="facts two">
            <Leaves offer={offer} />
          </dl>
        </Review>
      )}
    </>
  );
}

type Offered = Awaited<ReturnType<typeof offerFor>>;
type Preview = Offered['preview'];

function Waits({
  preview: { waiting_for: waits, approvals_required: count, send_after: after },
}: {
  preview: Preview;
}) {
  if (waits === null) return null;
  return (
    <p className="notice waiting">
      {waits === 'approval' ? (
        <>
          It waits until {count === 1 ? 'another person has' : `${count ?? 'other'} other people have`} approved it. You
          can’t approve it yourself.
        </>
      ) : (
        <>It waits before it is sent: nothing was paid to this destination before.</>
      )}
      {after === null ? null : (
        <>
          {' '}
          Not sent before <FullMoment at={after} />.
        </>
      )}
    </p>
  );
}

/** In full, and of the terms that are signed wherever these say it. */
function Leaves({ offer: { preview, terms } }: { offer: Offered }) {
  const { currency, amount, fee, exchange_rate: rate, network } = terms;
  const { recipient_currency: received, amount_fiat: worth } = preview;
  const total = fee === null ? amount : sumOf([amount, fee]);
  return (
    <>
      <Fact name="Amount">
        <Amount amount={amount} currency={currency} />
      </Fact>
      <Fact name="Fee">{fee === null ? 'None' : <Amount amount={fee} currency={currency} />}</Fact>
      <Fact name="Total">{total === undefined ? null : <Amount amount={total} currency={currency} />}</Fact>
      <Fact name="Left in wallet">
        <Amount amount={preview.balance} currency={currency} />
      </Fact>
      <Destination of={{ ...preview, network: network ?? null }} />
      <Fact name="Recipient gets">
        {received === null || received === currency
          ? null
          : `${formatAmount(worth)} ${received}, at ${formatRate(rate)}`}
      </Fact>
    </>
  );
}
