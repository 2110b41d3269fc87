import type { Schema } from '../api/client';
import { KYC_WORDS } from './words';

const TONES = { not_started: 'neutral', under_review: 'waiting', approved: 'good', rejected: 'bad' } as const;

export function KycBadge({ status }: { status: Schema<'KycStatus'> }) {
  return <span className={`badge ${TONES[status]}`}>{KYC_WORDS[status]}</span>;
}
