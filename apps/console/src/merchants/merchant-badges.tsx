import type { Schema } from '../api/client';

export const ModeBadge = ({ mode }: { mode: Schema<'Merchant'>['mode'] }) =>
  mode === 'live' ? <span className="badge good">Live</span> : <span className="badge neutral">Test</span>;

/** Says nothing of a merchant that can ask for something. */
export const NoKeyBadge = ({ status }: { status: Schema<'Merchant'>['status'] }) =>
  status === 'active' ? null : <span className="badge waiting">No valid key</span>;
