import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatAmount } from '../amounts/amounts';
import { Amount } from '../amounts/amount';
import type { Schema } from '../api/client';
import { compact, DailyChart, type Series } from '../charts/daily-chart';
import { dayText, daysBetween } from '../charts/days';
import { durationText } from '../charts/durations';
import { LastDays } from '../charts/last-days';
import { Columns } from '../shell/columns';
import { Answered, Empty } from '../shell/states';
import { Moment } from '../times/moment';
import { FiguresTable } from './figures-table';
import { FAILURE_WORDS, type KindName, KINDS, type Movement, movementOf, nameOf } from './kinds';
import { figuresQuestion, type OverviewSearch, overviewSearchOf, RANGE, RANGES } from './questions';

type Figures = Schema<'DailyFigures'>;
/** Shorter than that people do not wait for. */
const BEHIND_MS = 60_000;

export function OverviewPage() {
  const search = overviewSearchOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const answer = useQuery(figuresQuestion(search));
  const { data, isPlaceholderData } = answer;
  return (
    <>
      <header className="page-header">
        <div>
          <h1>Overview</h1>
          <p className="quiet">Whole days in UTC. A transaction counts on the day on which it was created.</p>
        </div>
        <Choices
          search={search}
          figures={data}
          change={(changed) => void navigate({ to: '/overview', search: { ...changed } })}
        />
      </header>
      <Answered to={answer} what="the figures">
        {(data) => (
          <div aria-busy={isPlaceholderData} className="stack overview">
            <Behind until={data.counted_until} />
            {data.currency === null || data.days.length === 0 ? (
              <NothingYet figures={data} />
            ) : (
              <Charts figures={data} />
            )}
          </div>
        )}
      </Answered>
    </>
  );
}

function Choices({
  search,
  figures,
  change,
}: {
  search: OverviewSearch;
  figures: Figures | undefined;
  change: (search: OverviewSearch) => void;
}) {
  const chosen = search.currency ?? figures?.currency ?? '';
  const currencies = new Set([...(figures?.currencies.map(({ currency }) => currency) ?? []), chosen].filter(Boolean));
  return (
    <div className="actions">
      <label className="switch">
        <span>Currency</span>
        <select
          value={chosen}
          disabled={currencies.size === 0}
          onChange={({ target }) => change({ ...search, currency: target.value })}
        >
          {[...currencies].map((currency) => (
            <option key={currency}>{currency}</option>
          ))}
        </select>
      </label>
      <LastDays ranges={RANGES} days={search.days ?? RANGE} change={(days) => change({ ...search, days })} />
    </div>
  );
}

/** The figures follow the log by seconds; by more only after an upgrade, or while something is wrong. */
function Behind({ until }: { until: string | null }) {
  if (until === null || Date.now() - Date.parse(until) < BEHIND_MS) return null;
  return (
    <p className="notice waiting" role="status">
      These figures are being brought up to date: what happened since <Moment at={until} /> is not all in them yet.
    </p>
  );
}

function NothingYet({ figures: { currency } }: { figures: Figures }) {
  return (
    <Empty title={currency === null ? 'No transactions in these days' : `No ${currency} transactions in these days`}>
      <p>
        Choose more days or another currency. A first deposit is made to an address of one of your{' '}
        <Link to="/wallets" search={{}}>
          wallets
        </Link>
        .
      </p>
    </Empty>
  );
}

function Charts({ figures }: { figures: Figures }) {
  const currency = figures.currency ?? '';
  const days = daysBetween(figures.start_date, figures.end_date);
  const kinds = KINDS.filter((kind) => movementOf(figures.total, kind) !== undefined);
  const seriesOf = (value: (movement: Movement) => string, text: (value: string) => string): Series[] => {
    const byDay = new Map(figures.days.map(({ day, movements }) => [day, movements]));
    return kinds.map((kind) => {
      const texts = days.map((day) => {
        const movement = movementOf(byDay.get(day) ?? [], kind);
        return movement === undefined ? '0' : value(movement);
      });
      return { name: kind.name, values: texts.map(Number), texts: texts.map(text) };
    });
  };
  const amountText = (amount: string) => `${formatAmount(amount)} ${currency}`;
  const span = `${dayText(figures.start_date)} to ${dayText(figures.end_date)}`;
  return (
    <>
      <Totals total={figures.total} currency={currency} />
      <div className="charts">
        <DailyChart
          title={`Volume in ${currency}`}
          description={`What was settled of the transactions of each day, by kind, ${span}. The table below has the numbers.`}
          days={days}
          series={seriesOf(({ settled_amount: amount }) => amount, amountText)}
          shape="bars"
          format={compact}
        />
        <DailyChart
          title="Transactions"
          description={`How many transactions were created on each day, by kind, ${span}. The table below has the numbers.`}
          days={days}
          series={seriesOf(
            ({ opened }) => opened,
            (count) => Number(count).toLocaleString('en'),
          )}
          shape="bars"
          format={compact}
        />
        <DailyChart
          title={`Fees in ${currency}`}
          description={`The fees of what was settled of the transactions of each day, by kind, ${span}.`}
          days={days}
          series={seriesOf(({ settled_fees: fees }) => fees, amountText)}
          shape="bars"
          format={compact}
        />
        <SettlementTimes figures={figures} days={days} kinds={kinds.map(({ name }) => name)} />
      </div>
      <Failures figures={figures} />
      <FiguresTable figures={figures} />
    </>
  );
}

function Totals({ total, currency }: { total: readonly Movement[]; currency: string }) {
  return (
    <ul className="totals">
      {total.map((movement) => (
        <li key={nameOf(movement)} className="card">
          <h2>{nameOf(movement)}</h2>
          <p className="total">
            <Amount amount={movement.settled_amount} currency={currency} />
          </p>
          <p className="quiet">
            {Number(movement.completed).toLocaleString('en')} of {Number(movement.opened).toLocaleString('en')}{' '}
            completed
            {movement.reversed === '0' ? '' : `, ${Number(movement.reversed).toLocaleString('en')} came back`}
          </p>
        </li>
      ))}
    </ul>
  );
}

function SettlementTimes({
  figures,
  days,
  kinds,
}: {
  figures: Figures;
  days: readonly string[];
  kinds: readonly KindName[];
}) {
  const [asked, setAsked] = useState<KindName>('Payouts');
  const name = kinds.includes(asked) ? asked : kinds[0];
  const kind = KINDS.find((one) => one.name === name);
  if (kind === undefined) return null;
  const byDay = new Map(figures.days.map(({ day, movements }) => [day, movementOf(movements, kind)]));
  const series = (title: string, of: 'p50_ms' | 'p95_ms'): Series => {
    const values = days.map((day) => byDay.get(day)?.[of] ?? null).map((text) => (text === null ? null : Number(text)));
    return { name: title, values, texts: values.map((value) => (value === null ? 'none' : durationText(value))) };
  };
  return (
    <div className="with-choice">
      <label className="switch">
        <span>Of</span>
        <select value={name} onChange={({ target }) => setAsked(target.value as KindName)}>
          {kinds.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <DailyChart
        title="Time until settled"
        description={`Within what time half, and 95 of 100, of the ${kind.name.toLowerCase()} of each day were completed.`}
        days={days}
        series={[series('Half within', 'p50_ms'), series('95 of 100 within', 'p95_ms')]}
        shape="times"
        format={durationText}
      />
    </div>
  );
}

function Failures({ figures: { failures, currency, start_date, end_date } }: { figures: Figures }) {
  return (
    <section className="card">
      <h2>Why transactions failed</h2>
      {failures.length === 0 ? (
        <p className="quiet">None of these days failed.</p>
      ) : (
        <div className="table-frame">
          <table className="list">
            <Columns names={['Reason', 'Transactions', 'Amount']} />
            <tbody>
              {failures.map(({ reason, transaction_type: type, transactions, amount }) => (
                <tr key={`${type}/${reason}`}>
                  <td>{FAILURE_WORDS[reason]}</td>
                  <td>{Number(transactions).toLocaleString('en')}</td>
                  <td>
                    <Amount amount={amount} currency={currency ?? ''} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            <Link to="/transactions" search={{ status: 'FAILED', currency: currency ?? '', start_date, end_date }}>
              Show those that failed
            </Link>
          </p>
        </div>
      )}
    </section>
  );
}
