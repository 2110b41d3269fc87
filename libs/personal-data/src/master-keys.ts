import { unwrapDataKey, wrapDataKey } from './data-key';
import { PersonalDataUnreadable } from './sealed-bytes';

/** A data key is wrapped with a master key that isn't configured. Nothing is lost while that key still exists. */
export class DataKeyUnreadable extends PersonalDataUnreadable {
  constructor() {
    super(
      'A data key opens with no master key at hand: the key that was in use before PERSONAL_DATA_KEY belongs into ' +
        'PERSONAL_DATA_PREVIOUS_KEY until the operator command rewrap-keys has ended with none left under it',
    );
  }
}

/**
 * The master keys of a process: data keys are wrapped with the current one, and opened with it or, while they are being
 * rewrapped, with the previous one. A wrapped key doesn't name its master key: it is authenticated, so that only the
 * right one opens it.
 */
export class MasterKeys {
  constructor(
    private readonly current: Buffer,
    private readonly previous: Buffer | null = null,
  ) {}

  wrap(dataKey: Buffer, ownerId: string): string {
    return wrapDataKey(this.current, dataKey, ownerId);
  }

  /** @throws DataKeyUnreadable */
  unwrap(wrapped: string, ownerId: string): Buffer {
    const dataKey = this.openWith(this.current, wrapped, ownerId) ?? this.openWith(this.previous, wrapped, ownerId);
    if (!dataKey) throw new DataKeyUnreadable();
    return dataKey;
  }

  /**
   * The same data key under the current master key; undefined when it already is.
   *
   * @throws DataKeyUnreadable
   */
  rewrap(wrapped: string, ownerId: string): string | undefined {
    if (this.openWith(this.current, wrapped, ownerId)) return undefined;
    return this.wrap(this.unwrap(wrapped, ownerId), ownerId);
  }

  private openWith(masterKey: Buffer | null, wrapped: string, ownerId: string): Buffer | undefined {
    if (!masterKey) return undefined;
    try {
      return unwrapDataKey(masterKey, wrapped, ownerId);
    } catch (error) {
      if (error instanceof PersonalDataUnreadable) return undefined;
      throw error;
    }
  }
}
