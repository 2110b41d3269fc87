/** Runs of verify: the questions, and how an open page sees one go on without asking. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answered, backOffice, type Schema } from '../api/client';

export type AuditRun = Schema<'AuditRun'>;
type AuditRuns = Schema<'AuditRuns'>;
/** What the back office says of the newest run: see audit-run-streams.ts there. */
export interface SaidOfRun {
  run: (Pick<AuditRun, 'number' | 'state' | 'progress' | 'running_seconds'> & { is_cancelled: boolean }) | null;
  is_runner_there: boolean;
}

/** After a refusal, as where the session has ended: the next question finds it out. */
const AGAIN_MS = 30_000;

export const runsQuestion = queryOptions({
  queryKey: ['audit', 'runs'],
  queryFn: async () => (await answered(backOffice.GET('/api/audit/runs'))).data,
});

export const runQuestion = (number: number) =>
  queryOptions({
    queryKey: ['audit', 'run', number],
    queryFn: async () =>
      (await answered(backOffice.GET('/api/audit/runs/{number}', { params: { path: { number } } }))).data,
    // What has ended never changes.
    staleTime: Infinity,
  });

export const isUnderWay = ({ state }: Pick<AuditRun, 'state'>): boolean => state === 'asked' || state === 'running';

/**
 * The list with what was said. Undefined where it has to be asked for anew: a run has begun, ended, or was asked for by another person.
 */
export function withSaid(list: AuditRuns, { run, is_runner_there: isThere }: SaidOfRun): AuditRuns | undefined {
  const [newest, ...others] = list.runs;
  if (run?.number !== newest?.number || run?.state !== newest?.state) return undefined;
  const runner = { ...list.runner, is_there: isThere };
  if (run === null || newest === undefined) return { ...list, runner };
  const { progress, running_seconds } = run;
  const cancelled_at = newest.cancelled_at ?? (run.is_cancelled ? newest.asked_at : null);
  return { runner, runs: [{ ...newest, progress, running_seconds, cancelled_at }, ...others] };
}

/** While the page is open it hears how the newest run goes. Hearing is no use of the session. */
export function useHeardRuns(): void {
  const client = useQueryClient();
  useEffect(() => {
    let source: EventSource;
    let again: ReturnType<typeof setTimeout> | undefined;
    const take = (list: AuditRuns, said: SaidOfRun) => {
      const next = withSaid(list, said);
      if (next !== undefined) client.setQueryData(runsQuestion.queryKey, next);
      // What is being asked for may be answered from before: it is asked for anew, as nothing is said twice.
      else void client.invalidateQueries({ queryKey: runsQuestion.queryKey });
    };
    const hear = ({ data }: MessageEvent<string>) => {
      const said = JSON.parse(data) as SaidOfRun;
      const list = client.getQueryData(runsQuestion.queryKey);
      if (list !== undefined) take(list, said);
      // The page is about to show the first answer, or why there is none.
      else
        void client.query(runsQuestion).then(
          (first) => take(first, said),
          () => undefined,
        );
    };
    const connect = () => {
      source = new EventSource('/api/audit/runs/live');
      source.addEventListener('audit-run', hear);
      source.addEventListener('error', () => {
        if (source.readyState === EventSource.CLOSED) again = setTimeout(connect, AGAIN_MS);
      });
    };
    connect();
    return () => {
      source.close();
      clearTimeout(again);
    };
  }, [client]);
}
