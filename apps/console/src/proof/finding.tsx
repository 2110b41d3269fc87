import type { ReactNode } from 'react';
import { Icon } from '../shell/icon';

/** One line of a verdict. */
export function Finding({ good, children }: { good: boolean; children: ReactNode }) {
  return (
    <li className={good ? 'good' : 'open'}>
      <Icon name={good ? 'approvals' : 'close'} />
      <span>
        <span className="visually-hidden">{good ? 'Holds: ' : 'Open: '}</span>
        {children}
      </span>
    </li>
  );
}
