import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { answered, backOffice, type Schema } from '../api/client';
import { Refusal } from '../api/refusal';
import { ActButton } from '../forms/act-button';
import { Columns } from '../shell/columns';
import { Answered, Empty, Refused } from '../shell/states';
import { Moment } from '../times/moment';
import { durationOf } from './progress-words';
import { RunCard } from './run-card';
import { type AuditRun, isUnderWay, runQuestion, runsQuestion, useHeardRuns } from './runs';
import { StateBadge } from './state-badge';

const route = getRouteApi('/inside/verification');

/** Has the auditor check the whole ledger, and shows how far it is and what it found. */
export function VerificationPage() {
  const { run: asked } = route.useSearch();
  const answer = useQuery(runsQuestion);
  useHeardRuns();
  return (
    <>
      <header className="page-header">
        <h1>Verification</h1>
      </header>
      <Answered to={answer} what="verifications">
        {({ runner, runs }) => {
          const shown = asked ?? runs[0]?.number;
          return (
            <div className="stack">
              <Asking runner={runner} underWay={runs.find(isUnderWay)} />
              {shown === undefined ? (
                <NoRunYet />
              ) : (
                <Shown key={shown} number={shown} listed={runs} isRunnerThere={runner.is_there} />
              )}
              {runs.length < 2 && asked === undefined ? null : <Runs runs={runs} shown={shown} />}
            </div>
          );
        }}
      </Answered>
    </>
  );
}

interface ShownProps {
  number: number;
  listed: readonly AuditRun[];
  isRunnerThere: boolean;
}

/** The newest are in the list, which goes on as they do; an older one is asked for by its number. */
function Shown({ number, listed, isRunnerThere }: ShownProps) {
  const found = listed.find((run) => run.number === number);
  const older = useQuery({ ...runQuestion(number), enabled: found === undefined });
  if (found !== undefined) return <RunCard run={found} isRunnerThere={isRunnerThere} />;
  if (older.error instanceof Refusal && older.error.status === 404)
    return (
      <Empty title="There is no such verification">
        <p>Its number may have a slip in it: choose one below.</p>
      </Empty>
    );
  return (
    <Answered to={older} what="the verification">
      {(run) => <RunCard run={run} isRunnerThere={isRunnerThere} />}
    </Answered>
  );
}

const NoRunYet = () => (
  <Empty title="Nothing was verified here yet">
    <p>
      A verification follows every event of the log, compares every table that answers a caller with it, and checks what
      was signed. It reads only, while the ledger works.
    </p>
  </Empty>
);

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
        <ActButton
          type="button"
          className="button primary"
          isBusy={underWay !== undefined || ask.isPending}
          onClick={() => ask.mutate()}
        >
          Verify now
        </ActButton>
        <span className="quiet">
          {underWay === undefined ? 'That you ask is on the record.' : 'One waits or runs already.'}
        </span>
      </p>
      <Refused error={ask.error} />
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
        <Columns names={['Number', 'Asked', 'By', 'Took', 'Verdict']} />
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
