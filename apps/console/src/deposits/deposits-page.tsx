import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Amount } from '../amounts/amount';
import type { Schema, Transaction } from '../api/client';
import { Pages } from '../shell/pages';
import { Answered, Empty, Failure } from '../shell/states';
import { Moment } from '../times/moment';
import { StatusBadge } from '../transactions/status-badge';
import { NETWORK_WORDS, STATUS_WORDS } from '../transactions/words';
import { Address } from '../wallets/address';
import { walletsQuestion } from '../wallets/questions';
import { depositsQuestion, type DepositsSearch, depositsSearchOf, STATUSES, unrecognisedQuestion } from './questions';
import { REASON_WORDS } from './words';

export function DepositsPage() {
  const search = depositsSearchOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changed: DepositsSearch) => void navigate({ to: '/deposits', search: { ...changed } });
  const answer = useQuery(depositsQuestion(search));
  const { isPlaceholderData } = answer;
  return (
    <>
      <header className="page-header">
        <h1>Deposits</h1>
        <label className="switch">
          <span>Status</span>
          <select
            value={search.status ?? ''}
            onChange={({ target }) => change(depositsSearchOf({ status: target.value }))}
          >
            <option value="">All</option>
            {STATUSES.map((status) => (
              <option key={status} value={status}>
                {STATUS_WORDS[status]}
              </option>
            ))}
          </select>
        </label>
      </header>
      <Answered to={answer} what="deposits">
        {(data) =>
          data.data.length === 0 ? (
            <NoDeposits search={search} clear={() => change({})} />
          ) : (
            <section aria-label="Deposits found" aria-busy={isPlaceholderData}>
              <ul className="deposits">
                {data.data.map((deposit) => (
                  <Deposit key={deposit.id} deposit={deposit} />
                ))}
              </ul>
              <Pages
                pagination={data.pagination}
                nouns={['deposit', 'deposits']}
                go={(page) => change({ ...search, page })}
              />
            </section>
          )
        }
      </Answered>
      <NotCredited />
    </>
  );
}

function Deposit({ deposit }: { deposit: Transaction }) {
  const { transaction_id: transactionId, amount, asset_code: currency, network, explorer_url: link } = deposit;
  return (
    <li className="card">
      <h2>
        <Link to="/transactions/$transactionId" params={{ transactionId }}>
          <Amount amount={amount} currency={currency} />
        </Link>{' '}
        <StatusBadge status={deposit.status} waitingFor={deposit.waiting_for} />
      </h2>
      <p>{wordOf(deposit)}</p>
      <p className="quiet">
        {network === null ? 'By bank' : (NETWORK_WORDS[network] ?? network)} · <Moment at={deposit.created_at} />
        <OnChain link={link} />
      </p>
      <Confirmations deposit={deposit} />
    </li>
  );
}

function OnChain({ link }: { link: string | null }) {
  if (link === null) return null;
  return (
    <>
      {' · '}
      <a href={link} target="_blank" rel="noreferrer">
        Look at it on the chain
      </a>
    </>
  );
}

function wordOf({ status, network, confirmations, confirmations_required: required }: Transaction): string {
  switch (status) {
    case 'COMPLETED':
      return 'Credited.';
    case 'FAILED':
      return 'Not credited: its transfer is not on the chain any more.';
    case 'REVERSED':
      return 'Taken back: its transfer left the chain after it was credited. Nothing leaves the wallet until that is covered.';
    case 'PENDING':
      if (confirmations === null) return network === null ? 'On its way.' : 'Seen; it is credited when it is final.';
      if (required === null) return `${confirmations} confirmations; it is credited when the network calls it final.`;
      if (confirmations >= required) return 'Final; it is being checked before it is credited.';
      return `${confirmations} of ${required} confirmations.`;
  }
}

function Confirmations({
  deposit: { status, confirmations, confirmations_required: required, transaction_id: id },
}: {
  deposit: Transaction;
}) {
  if (status !== 'PENDING' || confirmations === null || required === null) return null;
  return <progress max={required} value={Math.min(confirmations, required)} aria-label={`Confirmations of ${id}`} />;
}

function NoDeposits({ search: { status, page = 1 }, clear }: { search: DepositsSearch; clear: () => void }) {
  if (status === undefined && page === 1) return <FirstDeposit />;
  return (
    <Empty title="No such deposits">
      <button type="button" className="button" onClick={clear}>
        Show all deposits
      </button>
    </Empty>
  );
}

/** Where to send the first one. */
function FirstDeposit() {
  const { data } = useQuery(walletsQuestion(undefined, {}));
  const wallet = data?.data.find(({ addresses }) => addresses.length > 0);
  return (
    <Empty title="No deposits yet">
      {wallet === undefined ? (
        <p>
          Open a wallet with an address through the API, then send to it. Your{' '}
          <Link to="/wallets" search={{}}>
            wallets
          </Link>{' '}
          are listed with their addresses.
        </p>
      ) : (
        <>
          <p>Send {wallet.currency} to this address: it appears here as soon as it is seen.</p>
          <ul className="stack">
            {wallet.addresses.slice(0, 1).map((address) => (
              <Address key={address.id} address={address} />
            ))}
          </ul>
          <Link to="/wallets" search={{}} className="button">
            All wallets and addresses
          </Link>
        </>
      )}
    </Empty>
  );
}

/** What reached an address and waits for the operator; nothing is said where there is none. */
function NotCredited() {
  const { data, error, refetch } = useQuery(unrecognisedQuestion);
  if (error !== null && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section className="not-credited">
      <h2>Received and not credited</h2>
      <p className="quiet">Your operator decides on each of these. Tell them its id where you expect the money.</p>
      <ul className="deposits">
        {data.data.map((transfer) => (
          <Unrecognised key={transfer.id} transfer={transfer} />
        ))}
      </ul>
    </section>
  );
}

function Unrecognised({ transfer }: { transfer: Schema<'Unrecognised'> }) {
  const { id, amount, currency, reason, network, seen_at: seenAt, wallet_id: walletId, explorer_url: link } = transfer;
  return (
    <li className="card">
      <h3>
        {amount === null || currency === null ? 'An unknown token' : <Amount amount={amount} currency={currency} />}
      </h3>
      <p>{REASON_WORDS[reason]}</p>
      <p className="quiet">
        {NETWORK_WORDS[network] ?? network} · <Moment at={seenAt} /> ·{' '}
        <Link to="/wallets/$walletId" params={{ walletId }}>
          The wallet
        </Link>
        <OnChain link={link} />
      </p>
      <p className="quiet">
        Id <code>{id}</code>
      </p>
    </li>
  );
}
