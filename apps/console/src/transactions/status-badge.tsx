import type { Transaction } from '../api/client';
import { STATUS_WORDS, WAITING_WORDS } from './words';

const TONES = { PENDING: 'waiting', COMPLETED: 'good', REVERSED: 'neutral', FAILED: 'bad' } as const;

export function StatusBadge({
  status,
  waitingFor = null,
}: {
  status: Transaction['status'];
  waitingFor?: Transaction['waiting_for'];
}) {
  return (
    <span className={`badge ${TONES[status]}`}>
      {waitingFor === null ? STATUS_WORDS[status] : `Waits: ${WAITING_WORDS[waitingFor].toLowerCase()}`}
    </span>
  );
}
