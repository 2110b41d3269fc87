import { DataKeyUnreadable } from '@stablecoin/personal-data/master-keys';
import { KeyWrapping } from './key-wrapping';

/** While data keys move from one kind of master key to the other: wraps with the current one, opens with both. */
export class MovingWrapping extends KeyWrapping {
  constructor(
    private readonly current: KeyWrapping,
    private readonly former: KeyWrapping,
  ) {
    super();
  }

  recognises(wrapped: string): boolean {
    return this.current.recognises(wrapped) || this.former.recognises(wrapped);
  }

  wrap(dataKey: Buffer, ownerId: string): Promise<string> {
    return this.current.wrap(dataKey, ownerId);
  }

  async unwrap(wrapped: string, ownerId: string): Promise<Buffer> {
    return this.kindOf(wrapped).unwrap(wrapped, ownerId);
  }

  async rewrap(wrapped: string, ownerId: string): Promise<string | undefined> {
    const kind = this.kindOf(wrapped);
    if (kind === this.current) return kind.rewrap(wrapped, ownerId);
    return this.wrap(await kind.unwrap(wrapped, ownerId), ownerId);
  }

  async check({ wraps }: { wraps: boolean }): Promise<string | undefined> {
    return (await this.current.check({ wraps })) ?? this.former.check({ wraps: false });
  }

  private kindOf(wrapped: string): KeyWrapping {
    const kind = [this.current, this.former].find((candidate) => candidate.recognises(wrapped));
    if (!kind) throw new DataKeyUnreadable();
    return kind;
  }
}
