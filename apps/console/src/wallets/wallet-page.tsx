import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Amount } from '../amounts/amount';
import type { Schema } from '../api/client';
import { MerchantLink, useNamedMerchant } from '../merchants/named-merchant';
import { sessionQuestion } from '../session/questions';
import { Copyable } from '../shell/copyable';
import { Icon } from '../shell/icon';
import { isOpenFor } from '../shell/navigation';
import { Answered } from '../shell/states';
import { Moment, useZone } from '../times/moment';
import { momentOf } from '../times/times';
import { Address } from './address';
import { BalanceChart } from './balance-chart';
import { pastBalanceQuestion, walletQuestion } from './questions';
import { Statement } from './statement';

export function WalletPage() {
  const { walletId = '' }: { walletId?: string } = useParams({ strict: false });
  const merchantId = useNamedMerchant();
  const answer = useQuery(walletQuestion(merchantId, walletId));
  const { data: wallet } = answer;
  return (
    <>
      <MerchantLink to="/wallets" className="back">
        <Icon name="back" />
        Wallets
      </MerchantLink>
      {wallet === undefined ? <h1>Wallet</h1> : null}
      <Answered to={answer} what="the wallet">
        {(wallet) => (
          <>
            <header className="page-header">
              <div>
                <p className="quiet">{wallet.description}</p>
                <h1>
                  <Amount amount={wallet.balance} currency={wallet.currency} />
                </h1>
              </div>
              <Copyable text={wallet.id} label="the wallet’s id" />
            </header>
            <PayFrom wallet={wallet} />
            <BalanceChart walletId={wallet.id} />
            <div className="columns">
              <div className="stack">
                {merchantId === undefined ? <Statement walletId={wallet.id} /> : null}
                <PastBalance walletId={wallet.id} />
              </div>
              <section className="card">
                <h2>Deposit addresses</h2>
                {wallet.addresses.length === 0 ? (
                  <p className="quiet">None: no token is sent to this wallet over a chain.</p>
                ) : (
                  <ul className="stack">
                    {wallet.addresses.map((address) => (
                      <Address key={address.id} address={address} />
                    ))}
                  </ul>
                )}
              </section>
            </div>
          </>
        )}
      </Answered>
    </>
  );
}

/** For whom it is: to others it would be a way to nowhere. */
function PayFrom({ wallet: { id, customer_id: customer } }: { wallet: Schema<'Wallet'> }) {
  const { data: session } = useSuspenseQuery(sessionQuestion);
  const search = { wallet_id: id, ...(customer !== null && { customer_id: customer }) };
  if (!isOpenFor('/pay', session)) return null;
  return (
    <p className="actions wallet-actions">
      <Link to="/pay" search={search} className="button">
        Pay from this wallet
      </Link>
      <Link to="/swap" search={search} className="button">
        Swap from it
      </Link>
    </p>
  );
}

/** From the log itself, at any time: what the wallet held then never changes again. */
function PastBalance({ walletId }: { walletId: string }) {
  const [asOf, setAsOf] = useState('');
  const moment = momentOf(asOf, useZone());
  const answer = useQuery(pastBalanceQuestion(useNamedMerchant(), walletId, moment));
  return (
    <section className="card">
      <h2>Balance at a time</h2>
      <label className="field narrow">
        <span>As of</span>
        <input type="datetime-local" value={asOf} onChange={({ target }) => setAsOf(target.value)} />
      </label>
      <div aria-live="polite">
        <Answered to={answer} what="the balance">
          {(data) => <Held balance={data} />}
        </Answered>
      </div>
    </section>
  );
}

function Held({
  balance: { balance, currency, position, recorded_at: recordedAt },
}: {
  balance: Schema<'PastBalance'>;
}) {
  return (
    <>
      <p className="past-balance">
        <Amount amount={balance} currency={currency} />
      </p>
      <p className="quiet">
        {recordedAt === null || position === null ? (
          'The wallet was not open yet.'
        ) : (
          <>
            Since <Moment at={recordedAt} style="second" />, by the event at position {position} of the log.
          </>
        )}
      </p>
    </>
  );
}
