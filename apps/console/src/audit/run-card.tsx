import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { backOffice, type Schema } from '../api/client';
import { ActButton } from '../forms/act-button';
import { saveFile } from '../shell/save-file';
import { Answered, Refused } from '../shell/states';
import { useFocusKept } from '../shell/use-focus-kept';
import { Moment } from '../times/moment';
import { eventsText } from '../proof/events-text';
import { durationOf, isCounted, paceOf, partOf, phaseWords } from './progress-words';
import { type AuditRun, isUnderWay, runQuestion, runsQuestion } from './runs';
import { StateBadge } from './state-badge';

type Report = NonNullable<Schema<'WholeAuditRun'>['report']>;

interface RunProps {
  run: AuditRun;
  /** Whether the program that does the runs is. */
  isRunnerThere: boolean;
}

export function RunCard({ run, isRunnerThere }: RunProps) {
  // The button that cancels goes away with what it cancels.
  const heading = useFocusKept(isUnderWay(run) ? 1 : 0);
  return (
    <section className="card stack tight" aria-labelledby="run">
      <h2 id="run" ref={heading} tabIndex={-1}>
        Verification {run.number} <StateBadge run={run} />
      </h2>
      <p className="quiet">
        Asked for <Moment at={run.asked_at} style="second" />
        {run.running_seconds === null
          ? null
          : `, ${isUnderWay(run) ? 'runs for' : 'took'} ${durationOf(run.running_seconds)}`}
      </p>
      {isUnderWay(run) ? <UnderWay run={run} isRunnerThere={isRunnerThere} /> : null}
      {run.failure === null ? null : <p className="notice bad">{run.failure}</p>}
      {run.state === 'sound' || run.state === 'finding' ? <Found number={run.number} /> : null}
    </section>
  );
}

function UnderWay({ run, isRunnerThere }: RunProps) {
  const { progress } = run;
  return (
    <>
      {progress === null ? (
        <p>{run.state === 'asked' ? 'It waits for the runner.' : 'The auditor’s program starts.'}</p>
      ) : (
        <Progress key={progress.phase} progress={progress} seconds={run.running_seconds} />
      )}
      <Cancelling run={run} isRunnerThere={isRunnerThere} />
    </>
  );
}

function Progress({ progress, seconds }: { progress: NonNullable<AuditRun['progress']>; seconds: number | null }) {
  const { phase, done, total } = progress;
  const [since] = useState({ done, seconds });
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
            ? paceOf(progress, seconds, since)
            : `All ${total.toLocaleString('en')} events of the log were read.`}
        </p>
      )}
    </div>
  );
}

function Cancelling({ run: { number, cancelled_at: cancelledAt }, isRunnerThere }: RunProps) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => backOffice.POST('/api/audit/runs/{number}/cancellation', { params: { path: { number } } }),
    onSettled: () => client.invalidateQueries({ queryKey: runsQuestion.queryKey }),
  });
  // A runner that is gone ends nothing: then it is ended by being cancelled once more.
  const isStopping = cancelledAt !== null && isRunnerThere;
  return (
    <>
      <p className="actions">
        <ActButton type="button" isBusy={cancel.isPending || isStopping} onClick={() => cancel.mutate()}>
          {isStopping ? 'Is being cancelled…' : 'Cancel'}
        </ActButton>
      </p>
      <Refused error={cancel.error} />
    </>
  );
}

function Found({ number }: { number: number }) {
  return (
    <Answered to={useQuery(runQuestion(number))} what="the report">
      {({ report }) => (report === null ? null : <Findings number={number} report={report} />)}
    </Answered>
  );
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
            <strong>Intact.</strong> {eventsText(events)}, and every table that answers a caller follows from the log.
          </>
        ) : (
          <>
            <strong>NOT intact.</strong> {findings.length === 1 ? 'One finding' : `${findings.length} findings`} among{' '}
            {eventsText(events)}.
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
