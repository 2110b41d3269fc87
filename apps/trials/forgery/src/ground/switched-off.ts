import type { DatabaseName } from '@stablecoin/migrations/databases';
import type { Edit } from '@stablecoin/testing/planting';
import type { Database } from './databases';

/** How a rule is switched off where the services run. */
export interface SwitchedOff {
  edits?: readonly Edit[];
  /** Each user of the bus may say and hear everything. */
  isBrokerOpen?: true;
  plant?: (databases: Record<DatabaseName, Database>) => Promise<unknown>;
}
