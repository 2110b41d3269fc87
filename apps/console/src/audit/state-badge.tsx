import type { AuditRun } from './runs';

const STATES: Readonly<Record<AuditRun['state'], readonly [tone: string, words: string]>> = {
  asked: ['waiting', 'Waits'],
  running: ['waiting', 'Runs'],
  sound: ['good', 'Intact'],
  finding: ['bad', 'NOT intact'],
  failed: ['bad', 'Failed'],
  interrupted: ['neutral', 'Interrupted'],
  cancelled: ['neutral', 'Cancelled'],
};

export function StateBadge({ run: { state } }: { run: Pick<AuditRun, 'state'> }) {
  const [tone, words] = STATES[state];
  return <span className={`badge ${tone}`}>{words}</span>;
}
