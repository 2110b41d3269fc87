import type { ReactNode } from 'react';
import type { Schema } from '../api/client';

interface Props {
  pagination: Schema<'Pagination'>;
  /** One, and many. */
  nouns: readonly [string, string];
  go: (page: number) => void;
  children?: ReactNode;
}

/** What part of a list is shown, and the way to the next. */
export function Pages({ pagination: { total, page, limit, totalPages }, nouns: [one, many], go, children }: Props) {
  const first = (page - 1) * limit + 1;
  return (
    <nav className="pages" aria-label="Pages">
      <p role="status">
        {first.toLocaleString('en')}–{Math.min(total, first + limit - 1).toLocaleString('en')} of{' '}
        <strong>{total.toLocaleString('en')}</strong> {total === 1 ? one : many}
      </p>
      {children}
      <div className="actions">
        <button type="button" className="button" disabled={page <= 1} onClick={() => go(page - 1)}>
          Previous
        </button>
        <button type="button" className="button" disabled={page >= totalPages} onClick={() => go(page + 1)}>
          Next
        </button>
      </div>
    </nav>
  );
}
