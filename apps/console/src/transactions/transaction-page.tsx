import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Amount } from '../amounts/amount';
import { formatRate } from '../amounts/amounts';
import type { Transaction } from '../api/client';
import { MerchantLink, useNamedMerchant } from '../merchants/named-merchant';
import { Copyable } from '../shell/copyable';
import { Fact } from '../shell/fact';
import { Icon } from '../shell/icon';
import { Answered } from '../shell/states';
import { FullMoment, Moment } from '../times/moment';
import { ProofCard } from './proof-card';
import { eventsQuestion, transactionQuestion } from './questions';
import { SignersCard } from './signers-card';
import { StatusBadge } from './status-badge';
import { Timeline } from './timeline';
import { MODE_WORDS, NETWORK_WORDS, summaryOf, TYPE_WORDS, WAITING_WORDS } from './words';

export function TransactionPage() {
  const { transactionId = '' }: { transactionId?: string } = useParams({ strict: false });
  const answer = useQuery(transactionQuestion(useNamedMerchant(), transactionId));
  const { data } = answer;
  return (
    <>
      <MerchantLink to="/transactions" className="back">
        <Icon name="back" />
        Transactions
      </MerchantLink>
      {data === undefined ? <h1>Transaction {transactionId}</h1> : null}
      <Answered to={answer} what="the transaction">
        {(data) => <Content transaction={data} />}
      </Answered>
    </>
  );
}

function Content({ transaction }: { transaction: Transaction }) {
  const merchantId = useNamedMerchant();
  const { amount, asset_code: currency, status, waiting_for: waitingFor, created_at: createdAt } = transaction;
  return (
    <>
      <header className="page-header transaction-header">
        <div>
          <p className="quiet">
            {TYPE_WORDS[transaction.transaction_type]} · {MODE_WORDS[transaction.transaction_mode]}
          </p>
          <h1>
            <Amount amount={amount} currency={currency} sign={transaction.transaction_mode} />{' '}
            <StatusBadge status={status} waitingFor={waitingFor} />
          </h1>
          <p>{summaryOf(transaction)}</p>
        </div>
        <Copyable text={transaction.transaction_id} label="the transaction’s id" />
      </header>
      <Waiting transaction={transaction} />
      <div className="columns">
        <Events transaction={transaction} />
        <div className="stack">
          <Details transaction={transaction} />
          {merchantId === undefined && transaction.approvals_required !== null ? (
            <SignersCard transactionId={transaction.transaction_id} />
          ) : null}
          <ProofCard transaction={transaction} />
          <section className="card">
            <h2>Times</h2>
            <dl className="facts">
              <Fact name="Created">
                <FullMoment at={createdAt} />
              </Fact>
              <Fact name="Last changed">
                <FullMoment at={transaction.updated_at} />
              </Fact>
            </dl>
          </section>
        </div>
      </div>
    </>
  );
}

function Waiting({
  transaction: { waiting_for: what, send_after, approvals, approvals_required },
}: {
  transaction: Transaction;
}) {
  if (what === null) return null;
  return (
    <p className="notice waiting">
      <strong>Waits for {WAITING_WORDS[what].toLowerCase()}.</strong>{' '}
      {what === 'approval' && approvals_required !== null
        ? `${approvals?.length ?? 0} of ${approvals_required} approvals are there.`
        : null}{' '}
      {send_after === null ? null : (
        <>
          It is not sent before <Moment at={send_after} />.
        </>
      )}
    </p>
  );
}

function Events({ transaction: { transaction_id: id } }: { transaction: Transaction }) {
  const answer = useQuery(eventsQuestion(useNamedMerchant(), id));
  return (
    <section className="card">
      <h2>Timeline</h2>
      <Answered to={answer} what="the events">
        {(data) => <Timeline events={data.events} />}
      </Answered>
    </section>
  );
}

function Details({ transaction }: { transaction: Transaction }) {
  const { asset_code: currency, fee, exchange_rate: rate, network, crypto_transaction_id: hash } = transaction;
  const { address, bank_name, bank_code, bank_account, withdrawal_recipient_name: recipient } = transaction;
  return (
    <section className="card">
      <h2>Details</h2>
      <dl className="facts">
        <Fact name="Amount">
          <Amount amount={transaction.amount} currency={currency} />
        </Fact>
        <Fact name="Fee">{fee === null ? 'None' : <Amount amount={fee} currency={currency} />}</Fact>
        <Fact name="Rate">{rate === null ? null : formatRate(rate)}</Fact>
        <Fact name="Balance after">
          <Amount amount={transaction.balance} currency={currency} />
        </Fact>
        <Fact name="Recipient">{recipient}</Fact>
        <Fact name="Bank">
          {bank_name === null ? bank_code : `${bank_name}${bank_code === null ? '' : ` (${bank_code})`}`}
        </Fact>
        <Fact name="Account">{bank_account}</Fact>
        <Fact name="Country">{transaction.recipient_country}</Fact>
        <Fact name="Network">{network === null ? null : (NETWORK_WORDS[network] ?? network)}</Fact>
        <Fact name="Address">{address === null ? null : <Copyable text={address} label="the address" />}</Fact>
        <Fact name="On the chain">
          {hash === null ? null : <ChainReference hash={hash} url={transaction.explorer_url} />}
        </Fact>
        <Fact name="Confirmations">{confirmationsOf(transaction)}</Fact>
        {network === null ? <BankReference of={transaction} /> : null}
        <Fact name="Reference">
          <Copyable text={transaction.reference_id} label="the reference" />
        </Fact>
        <Fact name="Customer">
          {transaction.customer_id === null ? null : (
            <>
              <code>{transaction.customer_id}</code>
              <br />
              <MerchantLink to="/transactions" search={{ customer_id: transaction.customer_id }}>
                Their transactions
              </MerchantLink>
              {' · '}
              <MerchantLink to="/wallets" search={{ customer_id: transaction.customer_id }}>
                Their wallets
              </MerchantLink>
            </>
          )}
        </Fact>
      </dl>
    </section>
  );
}

/** By which the bank finds the payment; the events have it once the bank has given one. */
function BankReference({ of: { transaction_id: id } }: { of: Transaction }) {
  const reference = useQuery(eventsQuestion(useNamedMerchant(), id)).data?.rail_reference ?? null;
  if (reference === null) return null;
  return (
    <Fact name="Bank’s reference">
      <Copyable text={reference} label="the bank’s reference" />
    </Fact>
  );
}

const confirmationsOf = ({ confirmations, confirmations_required: required }: Transaction) =>
  confirmations === null ? null : required === null ? `${confirmations}` : `${confirmations} of ${required}`;

function ChainReference({ hash, url }: { hash: string; url: string | null }) {
  return (
    <>
      <Copyable text={hash} label="the transaction on the chain" />
      {url === null ? null : (
        <a href={url} target="_blank" rel="noreferrer">
          Look at it in the explorer
        </a>
      )}
    </>
  );
}
