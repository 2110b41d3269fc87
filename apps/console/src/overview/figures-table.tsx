import { Amount } from '../amounts/amount';
import type { Schema } from '../api/client';
import { dayText } from '../charts/days';
import { durationText } from '../charts/durations';
import { Columns } from '../shell/columns';
import { nameOf } from './kinds';

/** The same numbers as the charts, for who reads them rather; newest first. */
export function FiguresTable({ figures: { days, total, currency } }: { figures: Schema<'DailyFigures'> }) {
  const rows = [
    ...total.map((movement) => ({ day: 'All days', movement })),
    ...[...days]
      .reverse()
      .flatMap(({ day, movements }) => movements.map((movement) => ({ day: dayText(day), movement }))),
  ];
  return (
    <details className="card numbers">
      <summary>All numbers as a table</summary>
      <div className="table-frame" tabIndex={0} role="region" aria-label="All numbers">
        <table className="list">
          <Columns names={HEADINGS} />
          <tbody>
            {rows.map(({ day, movement }) => (
              <tr key={`${day}/${nameOf(movement)}`}>
                <th scope="row">{day}</th>
                <td>{nameOf(movement)}</td>
                <td>{movement.opened}</td>
                <td>{movement.completed}</td>
                <td>{movement.failed}</td>
                <td>{movement.reversed}</td>
                <td>
                  <Amount amount={movement.settled_amount} currency={currency ?? ''} />
                </td>
                <td>
                  <Amount amount={movement.settled_fees} currency={currency ?? ''} />
                </td>
                <td>{movement.p50_ms === null ? '–' : durationText(Number(movement.p50_ms))}</td>
                <td>{movement.p95_ms === null ? '–' : durationText(Number(movement.p95_ms))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const HEADINGS = [
  ...['Day (UTC)', 'Kind', 'Created', 'Completed', 'Failed', 'Came back'],
  ...['Settled amount', 'Fees', 'Half within', '95 of 100 within'],
];
