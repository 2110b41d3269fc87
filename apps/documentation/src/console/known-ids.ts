import { valueAt } from './requests';
import { NAMED_BY, THINGS, type ThingName } from './things.table';

/** The browser's sessionStorage: what one tab keeps, over reloads, until it is closed. */
export interface TabStore {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const STORED_AS = 'stablecoin-documentation-ids';
const NAMES = Object.keys(THINGS) as ThingName[];

/** The ids that earlier calls in this tab gave, by what they name. */
export class KnownIds {
  constructor(private readonly store: TabStore) {}

  of(thing: ThingName): string | undefined {
    return this.read()[thing];
  }

  /** After an operation succeeded: keeps what its answer names, forgets what it used up. */
  note(operationId: string, body: unknown): void {
    const before = this.read();
    const after = NAMES.flatMap((name) => {
      const { madeBy, usedUpBy = [] } = THINGS[name];
      const way = madeBy[operationId];
      const made = way === undefined ? undefined : valueAt(body, way);
      const id = typeof made === 'string' ? made : before[name];
      return id === undefined || usedUpBy.includes(operationId) ? [] : [[name, id] as const];
    });
    this.store.setItem(STORED_AS, JSON.stringify(Object.fromEntries(after)));
  }

  /** With another key, other ids exist. */
  forget(): void {
    this.store.removeItem(STORED_AS);
  }

  private read(): Partial<Record<ThingName, string>> {
    return JSON.parse(this.store.getItem(STORED_AS) ?? '{}') as Partial<Record<ThingName, string>>;
  }
}

/** What the required parameters of an operation name. */
export const thingsOf = (operationId: string): Readonly<Record<string, ThingName>> => NAMED_BY[operationId] ?? {};
