import { MasterKeys } from '@stablecoin/personal-data/master-keys';
import { KeyWrapping } from './key-wrapping';

const WRAPPED_HERE = /^v\d+\./;

/** The master keys that stand in the settings of this process. */
export class SettingsWrapping extends KeyWrapping {
  constructor(private readonly masterKeys: MasterKeys) {
    super();
  }

  recognises(wrapped: string): boolean {
    return WRAPPED_HERE.test(wrapped);
  }

  wrap(dataKey: Buffer, ownerId: string): Promise<string> {
    return promised(() => this.masterKeys.wrap(dataKey, ownerId));
  }

  unwrap(wrapped: string, ownerId: string): Promise<Buffer> {
    return promised(() => this.masterKeys.unwrap(wrapped, ownerId));
  }

  rewrap(wrapped: string, ownerId: string): Promise<string | undefined> {
    return promised(() => this.masterKeys.rewrap(wrapped, ownerId));
  }

  check(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

const promised = <Value>(work: () => Value): Promise<Value> => new Promise((resolve) => resolve(work()));
