/** Runs of verify: the questions, and how an open page sees one go on without asking. */
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { answered, backOffice, type Schema } from '../api/client';
import { listen } from '../live/live';
import { sessionQuestion } from '../session/questions';

export type AuditRun = Schema<'AuditRun'>;
type AuditRuns = Schema<'AuditRuns'>;
export type SaidOfRun = Schema<'SaidOfRun'>;

const LIVE_RUNS = { address: '/api/audit/runs/live', event: 'audit-run' };

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
    staleTime: ({ state: { data } }) => (data === undefined || isUnderWay(data) ? 0 : Infinity),
  });

export const isUnderWay = ({ state }: Pick<AuditRun, 'state'>): boolean => state === 'asked' || state === 'running';

/**
 * The list with what was said. Undefined where it has to be asked for anew: a run has begun, ended, was cancelled or asked for by another
 * person, or the runner has come or gone.
 */
export function withSaid(list: AuditRuns, { run, is_runner_there: isThere }: SaidOfRun): AuditRuns | undefined {
  const [newest, ...others] = list.runs;
  const isSame = run?.number === newest?.number && run?.state === newest?.state && isThere === list.runner.is_there;
  if (!isSame) return undefined;
  if (run === null || newest === undefined) return list;
  if (run.is_cancelled !== (newest.cancelled_at !== null)) return undefined;
  const { progress, running_seconds } = run;
  return { ...list, runs: [{ ...newest, progress, running_seconds }, ...others] };
}

/** While the page is open it hears how the newest run goes. Hearing is no use of the session. */
export function useHeardRuns(): void {
  const client = useQueryClient();
  const { member_id: memberId } = useSuspenseQuery(sessionQuestion).data;
  useEffect(() => {
    // What is being asked for may be answered from before: it is asked for anew, as nothing is said twice.
    const askAnew = () => void client.invalidateQueries({ queryKey: runsQuestion.queryKey });
    const take = (list: AuditRuns, said: SaidOfRun) => {
      const next = withSaid(list, said);
      if (next === undefined) askAnew();
      else client.setQueryData(runsQuestion.queryKey, next);
    };
    const heard = (data: string) => {
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
    return listen(`audit-runs ${memberId}`, LIVE_RUNS, { heard, wasAway: askAnew });
  }, [client, memberId]);
}
