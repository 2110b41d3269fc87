import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../amounts/amount';
import { formatAmount } from '../amounts/amounts';
import { compact, DailyChart } from '../charts/daily-chart';
import { dayText } from '../charts/days';
import { LastDays } from '../charts/last-days';
import { useNamedMerchant } from '../merchants/named-merchant';
import { Columns } from '../shell/columns';
import { Answered } from '../shell/states';
import { balancesQuestion } from './questions';

const RANGES = [30, 90, 366] as const;

/** What the wallet held at the end of each day, with the same numbers as a table. */
export function BalanceChart({ walletId }: { walletId: string }) {
  const [count, setCount] = useState<number>(RANGES[0]);
  const answer = useQuery(balancesQuestion(useNamedMerchant(), walletId, count));
  const { isPlaceholderData } = answer;
  return (
    <div className="stack balance-chart" aria-busy={isPlaceholderData}>
      <Answered to={answer} what="the balances">
        {(data) => (
          <>
            <div className="with-choice">
              <LastDays ranges={RANGES} days={count} change={setCount} />
              <DailyChart
                title="Balance over time"
                description="What the wallet held at the end of each day in UTC; today’s is that of now. The table below has the numbers."
                days={data.days.map(({ day }) => day)}
                series={[
                  {
                    name: `Balance in ${data.currency}, at the end of each day in UTC`,
                    values: data.days.map(({ balance }) => Number(balance)),
                    texts: data.days.map(({ balance }) => formatAmount(balance)),
                  },
                ]}
                shape="lines"
                format={compact}
              />
            </div>
            <details className="card numbers">
              <summary>Balances as a table</summary>
              <div className="table-frame" tabIndex={0} role="region" aria-label="Balances">
                <table className="list">
                  <Columns names={['Day (UTC)', 'Balance at its end']} />
                  <tbody>
                    {[...data.days].reverse().map(({ day, balance }) => (
                      <tr key={day}>
                        <th scope="row">{dayText(day)}</th>
                        <td>
                          <Amount amount={balance} currency={data.currency} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </details>
          </>
        )}
      </Answered>
    </div>
  );
}
