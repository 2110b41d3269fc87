import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Schema } from '../api/client';
import { AsOf } from '../shell/as-of';
import { Answered, Empty } from '../shell/states';
import { useZone } from '../times/moment';
import { formatTime } from '../times/times';
import { reportQuestion, reportsQuestion } from './questions';
import { Report } from './report';

type Kept = Schema<'KeptReport'>;

/** Holdings on chains against the books, as the auditor's program has found them: the newest report first, and those before it. */
export function ReconciliationPage() {
  const { report: chosen }: { report?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  const answer = useQuery(reportsQuestion);
  const { data, dataUpdatedAt } = answer;
  const shown = data?.find(({ number }) => String(number) === chosen) ?? data?.[0];
  const choose = (report: string) => void navigate({ to: '/reconciliation', search: { report } });
  return (
    <>
      <header className="page-header">
        <h1>Reconciliation</h1>
        <AsOf at={dataUpdatedAt} keys={[reportsQuestion.queryKey]} />
      </header>
      <Answered to={answer} what="reports">
        {(data) =>
          shown === undefined ? (
            <NoReport />
          ) : (
            <>
              <Choice reports={data} shown={shown} choose={choose} />
              <Chosen number={shown.number} />
            </>
          )
        }
      </Answered>
    </>
  );
}

function NoReport() {
  return (
    <Empty title="No report was kept yet">
      <p>
        The auditor’s program holds what is on chains against the books: <code>solvency --json</code>. What it prints is
        kept for this page by the operators’ command line: <code className="url">solvency keep FILE</code>. It needs
        nodes of each network and a signed statement of what is owed.
      </p>
    </Empty>
  );
}

function Choice({
  reports,
  shown,
  choose,
}: {
  reports: readonly Kept[];
  shown: Kept;
  choose: (number: string) => void;
}) {
  const zone = useZone();
  return (
    <label className="field narrow">
      <span>Report</span>
      <select value={String(shown.number)} onChange={({ target }) => choose(target.value)}>
        {reports.map(({ number, kept_at: at, is_sound: isSound }) => (
          <option key={number} value={String(number)}>
            {number}: {formatTime(at, 'minute', zone)}, {isSound ? 'right' : 'not right'}
          </option>
        ))}
      </select>
    </label>
  );
}

function Chosen({ number }: { number: number }) {
  const answer = useQuery(reportQuestion(number));
  return (
    <Answered to={answer} what="the report">
      {(data) => <Report kept={data} />}
    </Answered>
  );
}
