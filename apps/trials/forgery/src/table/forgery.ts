import type { Evidence, Expectation } from '../judging/expectation';
import type { Site } from '../ground/site';

/** What a forger wants. */
export const AIMS = {
  mint: 'money that no rail has brought',
  move: "another's money",
  hide: 'something that happened, hidden',
  undo: 'something that happened, undone',
  read: 'what is not for him to read',
} as const;
export type Aim = keyof typeof AIMS;

/** While the services run, or on copies of their databases when they have been stopped. */
export type Stage = 'running' | 'at rest';

export interface Forgery {
  /** What is done, after "He". */
  what: string;
  stage: Stage;
  expected: Expectation;
  attempt(site: Site): Promise<Evidence>;
}

/** No cell of the table is empty: the compiler sees to it. */
export type Cell = readonly [Forgery, ...Forgery[]];
export type Row = Readonly<Record<Aim, Cell>>;
