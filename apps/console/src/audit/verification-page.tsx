import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answered, backOffice, type Schema } from '../api/client';
import { Empty, Failure, Loading } from '../shell/states';
import { Moment } from '../times/moment';
import { durationOf } from './progress-words';
import { RunCard } from './run-card';
import { type AuditRun, isUnderWay, runsQuestion, useHeardRuns } from './runs';
import { StateBadge } from './state-badge';

const route = getRouteApi('/inside/verification');

/** Has the auditor check the whole ledger, and shows how far it is and what it found. */
export function VerificationPage() {
  const { run: asked } = route.useSearch();
  const { data, error, refetch } = useQuery(runsQuestion);
  useHeardRuns();
  const shown = asked === undefined ? data?.runs[0] : data?.runs.find(({ number }) => number === asked);
  return (
    <>
      <header className="page-header">
        <h1>Verification</h1>
      </header>
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what="verifications" />
      ) : (
        <div className="stack">
          <Asking runner={data.runner} underWay={data.runs.find(isUnderWay)} />
          {shown === undefined ? <NoRun isOther={asked !== undefined} /> : <RunCard key={shown.number} run={shown} />}
          {data.runs.length < 2 && asked === undefined ? null : <Runs runs={data.runs} shown={shown?.number} />}
        </div>
      )}
    </>
  );
}

function NoRun({ isOther }: { isOther: boolean }) {
  if (isOther)
    return (
      <Empty title="There is no such verification here">
        <p>Only the newest fifty are listed: choose one of them.</p>
      </Empty>
    );
  return (
    <Empty title="Nothing was verified here yet">
      <p>
        A verification follows every event of the log, compares every table that answers a caller with it, and checks
        what was signed. It reads only, while the ledger works.
      </p>
    </Empty>
  );
}

interface AskingProps {
  runner: Schema<'AuditRuns'>['runner'];
  underWay: AuditRun | undefined;
}

function Asking({ runner, underWay }: AskingProps) {
  const client = useQueryClient();
  const navigate = route.useNavigate();
  const ask = useMutation({
    mutationFn: () => answered(backOffice.POST('/api/audit/runs')),
    onSettled: () => client.invalidateQueries({ queryKey: runsQuestion.queryKey }),
    onSuccess: () => void navigate({ to: '/verification', search: {} }),
  });
  return (
    <section className="card stack tight" aria-label="A new verification">
      <p className="actions">
        <button
          type="button"
          className="button primary"
          disabled={underWay !== undefined || ask.isPending}
          onClick={() => ask.mutate()}
        >
          Verify now
        </button>
        <span className="quiet">
          {underWay === undefined ? 'That you ask is on the record.' : 'One waits or runs already.'}
        </span>
      </p>
      {ask.isError ? (
        <p className="notice bad" role="alert">
          {ask.error.message}
        </p>
      ) : null}
      {runner.is_there ? null : (
        <div className="notice waiting" role="status">
          <strong>No runner is there.</strong>{' '}
          {runner.alive_at === null ? (
            'None has ever given a sign of life.'
          ) : (
            <>
              Its last sign of life: <Moment at={runner.alive_at} style="second" />.
            </>
          )}{' '}
          What is asked for waits until one is started: <code>docker compose --profile people up -d audit-runner</code>,
          or <code>npm start</code> on a machine of your own.
        </div>
      )}
    </section>
  );
}

function Runs({ runs, shown }: { runs: readonly AuditRun[]; shown: number | undefined }) {
  return (
    <section aria-label="Verifications">
      <table className="list labelled">
        <thead>
          <tr>
            {['Number', 'Asked', 'By', 'Took', 'Verdict'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.number}>
              <td>
                <Link to="/verification" search={{ run: run.number }} aria-current={run.number === shown}>
                  Verification {run.number}
                </Link>
              </td>
              <td data-label="Asked">
                <Moment at={run.asked_at} />
              </td>
              <td data-label="By">{askerOf(run)}</td>
              <td data-label="Took">{run.running_seconds === null ? '–' : durationOf(run.running_seconds)}</td>
              <td data-label="Verdict">
                <StateBadge run={run} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const askerOf = ({ asked_by: { name, is_you: isYou } }: AuditRun): string => (isYou ? 'You' : (name ?? 'A colleague'));
