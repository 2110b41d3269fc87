import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { backOffice, type Schema } from '../api/client';
import { saveFile } from '../shell/save-file';
import { Failure, Loading } from '../shell/states';
import { Moment } from '../times/moment';
import { durationOf, isCounted, paceOf, partOf, phaseWords } from './progress-words';
import { type AuditRun, isUnderWay, runQuestion, runsQuestion } from './runs';
import { StateBadge } from './state-badge';

type Report = NonNullable<Schema<'WholeAuditRun'>['report']>;

export function RunCard({ run }: { run: AuditRun }) {
  return (
    <section className="card stack tight" aria-labelledby="run">
      <h2 id="run">
        Verification {run.number} <StateBadge run={run} />
      </h2>
      <p className="quiet">
        Asked for <Moment at={run.asked_at} style="second" />
        {run.running_seconds === null
          ? null
          : `, ${isUnderWay(run) ? 'runs for' : 'took'} ${durationOf(run.running_seconds)}`}
      </p>
      {isUnderWay(run) ? <UnderWay run={run} /> : null}
      {run.failure === null ? null : <p className="notice bad">{run.failure}</p>}
      {run.state === 'sound' || run.state === 'finding' ? <Found number={run.number} /> : null}
    </section>
  );
}

function UnderWay({ run }: { run: AuditRun }) {
  const { progress } = run;
  return (
    <>
      {progress === null ? (
        <p>{run.state === 'asked' ? 'It waits for the runner.' : 'The auditor’s program starts.'}</p>
      ) : (
        <Progress progress={progress} seconds={run.running_seconds} />
      )}
      <Cancelling run={run} />
    </>
  );
}

function Progress({ progress, seconds }: { progress: NonNullable<AuditRun['progress']>; seconds: number | null }) {
  const { phase, done, total } = progress;
  const part = partOf(phase);
  return (
    <div className="run-progress">
      <p>
        <strong>{phaseWords(phase)}</strong>
        {part === undefined ? null : <span className="quiet"> {part}</span>}
      </p>
      {/* Without a value the bar says that it works, and not how far it is. */}
      <progress aria-label={phaseWords(phase)} max={1} {...(isCounted(progress) && { value: done / total })} />
      {total === 0 ? null : (
        <p className="quiet">
          {phase === 'log'
            ? paceOf(progress, seconds)
            : `All ${total.toLocaleString('en')} events of the log were read.`}
        </p>
      )}
    </div>
  );
}

function Cancelling({ run: { number, cancelled_at: cancelledAt } }: { run: AuditRun }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => backOffice.POST('/api/audit/runs/{number}/cancellation', { params: { path: { number } } }),
    onSettled: () => client.invalidateQueries({ queryKey: runsQuestion.queryKey }),
  });
  return (
    <>
      <p className="actions">
        <button
          type="button"
          className="button"
          disabled={cancel.isPending || cancelledAt !== null}
          onClick={() => cancel.mutate()}
        >
          {cancelledAt === null ? 'Cancel' : 'Is being cancelled…'}
        </button>
      </p>
      {cancel.isError ? (
        <p className="notice bad" role="alert">
          {cancel.error.message}
        </p>
      ) : null}
    </>
  );
}

function Found({ number }: { number: number }) {
  const { data, error, refetch } = useQuery(runQuestion(number));
  if (error !== null && data === undefined) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the report" />;
  return data.report === null ? null : <Findings number={number} report={data.report} />;
}

function Findings({ number, report }: { number: number; report: Report }) {
  const { ok, events, findings, what_to_do: whatToDo } = report;
  const save = () =>
    saveFile(new Blob([JSON.stringify(report, null, 2)], { type: 'application/json' }), `verification-${number}.json`);
  return (
    <>
      <p className={`notice ${ok ? 'good' : 'bad'}`}>
        {ok ? (
          <>
            <strong>Intact.</strong> {events.toLocaleString('en')} {events === 1 ? 'event' : 'events'}, and every table
            that answers a caller follows from the log.
          </>
        ) : (
          <>
            <strong>NOT intact.</strong> {findings.length === 1 ? 'One finding' : `${findings.length} findings`} among{' '}
            {events.toLocaleString('en')} events.
          </>
        )}
      </p>
      {findings.length === 0 ? null : (
        <ul className="card-list findings" aria-label="Findings">
          {findings.map((finding) => (
            <li key={finding}>
              <p>{finding}</p>
            </li>
          ))}
        </ul>
      )}
      {whatToDo.map((one) => (
        <p key={one}>
          <strong>What to do:</strong> {one}
        </p>
      ))}
      <p className="actions">
        <button type="button" className="button" onClick={save}>
          Save the whole report
        </button>
      </p>
    </>
  );
}
