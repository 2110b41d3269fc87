import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { Amount } from '../amounts/amount';
import { formatAmount } from '../amounts/amounts';
import type { Schema } from '../api/client';
import { formText } from '../forms/form-text';
import { Columns } from '../shell/columns';
import { UUID_FIELD } from '../shell/search';
import { Answered } from '../shell/states';
import { Finding } from '../proof/finding';
import { Moment } from '../times/moment';
import { explanationQuestion, explanationSearchOf } from './questions';
import { firstThatDiffers } from './running-sum';

type Explanation = Schema<'BalanceExplanation'>;
const route = getRouteApi('/inside/balances');
/** As the back office takes it: what else is typed is said before it is asked. */
const MOMENT_PATTERN =
  '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+\\-][0-9]{2}:[0-9]{2})|0|[1-9][0-9]{0,14}';

/** Why a wallet held what it held: the events of the log behind it. */
export function ExplanationPage() {
  const { wallet, as_of: asOf } = route.useSearch();
  const navigate = route.useNavigate();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [named, moment] = [formText(event.currentTarget, 'wallet'), formText(event.currentTarget, 'as_of')];
    void navigate({
      to: '/balances',
      search: explanationSearchOf({ wallet: named, ...(moment !== '' && { as_of: moment }) }),
    });
  };
  return (
    <>
      <header className="page-header">
        <h1>Explain a balance</h1>
      </header>
      <div className="stack">
        <form className="card stack tight" onSubmit={submit} key={`${wallet ?? ''} ${asOf ?? ''}`}>
          <label className="field">
            <span>Wallet</span>
            <input
              name="wallet"
              type="text"
              required
              {...UUID_FIELD}
              spellCheck={false}
              autoComplete="off"
              defaultValue={wallet}
            />
          </label>
          <label className="field narrow">
            <span>As of: a time in UTC, or a position of the log; empty for now</span>
            <input
              name="as_of"
              type="text"
              pattern={MOMENT_PATTERN}
              title="A time with its zone, such as 2026-01-31T12:00:00Z, or a position of the log, such as 1204"
              spellCheck={false}
              autoComplete="off"
              placeholder="2026-01-31T12:00:00Z"
              defaultValue={asOf}
            />
          </label>
          <p className="actions">
            <button type="submit" className="button">
              Explain
            </button>
            <span className="quiet">What you look at is on the record.</span>
          </p>
        </form>
        {wallet === undefined ? null : <Explained wallet={wallet} asOf={asOf} />}
      </div>
    </>
  );
}

function Explained({ wallet, asOf }: { wallet: string; asOf: string | undefined }) {
  const navigate = route.useNavigate();
  const answer = useQuery(explanationQuestion(wallet, asOf));
  return (
    <Answered to={answer} what="the events">
      {(data) => {
        const { earlier } = data;
        return (
          <>
            <Summary explanation={data} />
            {data.events.length === 0 ? (
              <p className="quiet">The wallet was not open yet.</p>
            ) : (
              <EventTable {...data} />
            )}
            <div className="actions">
              <button
                type="button"
                className="button"
                disabled={earlier === null}
                onClick={() =>
                  void navigate({ to: '/balances', search: { wallet, ...(earlier !== null && { as_of: earlier }) } })
                }
              >
                Events before these
              </button>
            </div>
          </>
        );
      }}
    </Answered>
  );
}

function Summary({ explanation }: { explanation: Explanation }) {
  const { balance, opening, currency, merchant_id: merchant, shard, events } = explanation;
  const differs = firstThatDiffers(explanation);
  return (
    <section className="card">
      <h2>
        <Amount amount={balance} currency={currency} />
      </h2>
      <p className="quiet">
        Of merchant <code>{merchant}</code>, on shard {shard}
      </p>
      <ul className="verdict">
        <Finding good={differs === null}>
          {differs === null
            ? `${formatAmount(opening)} and the ${events.length} changes below make ${formatAmount(balance)}: added up by your browser`
            : `The changes do not add up at position ${differs}`}
        </Finding>
      </ul>
    </section>
  );
}

function EventTable({ events, currency }: Explanation) {
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label="Table of events">
      <table className="list audit">
        <Columns names={['Position', 'Recorded', 'Movement', 'Change', 'Balance after', 'Transaction', 'Hash']} />
        <tbody>
          {events.map(({ position, recorded_at: at, movement, change, hash, ...event }) => (
            <tr key={position}>
              <td>{position.toLocaleString('en')}</td>
              <td>
                <Moment at={at} style="second" />
              </td>
              <td>{movement}</td>
              <td>
                <Amount amount={change} currency={currency} />
              </td>
              <td>{event.balance_after === null ? '' : <Amount amount={event.balance_after} currency={currency} />}</td>
              <td>{event.transaction_id === null ? '' : <code>{event.transaction_id}</code>}</td>
              <td>
                <code title={hash}>{hash.slice(0, 12)}…</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
