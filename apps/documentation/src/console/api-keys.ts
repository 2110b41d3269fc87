import type { TabStore } from './known-ids';

const STORED_AS = 'stablecoin-documentation-api-key';

/** The reader's API key: kept in this tab's store and nowhere else, sent to the service of this page and nowhere else. */
export class TabKey {
  constructor(private readonly store: TabStore) {}

  get value(): string {
    return this.store.getItem(STORED_AS) ?? '';
  }

  set value(key: string) {
    if (key === '') this.store.removeItem(STORED_AS);
    else this.store.setItem(STORED_AS, key);
  }
}

export const isTestKey = (key: string): boolean => key.startsWith('sk_test_');
