import { createHmac } from 'node:crypto';
import { authenticatedData } from './sealed-bytes';

/** By what a sealed text is recognised: the same for the same text, and telling nothing of it without the key. */
export class KeyedHash {
  /** @param key 32 bytes, used for nothing else */
  constructor(
    private readonly ownerId: string,
    private readonly key: Buffer,
  ) {}

  /** HMAC-SHA256 in hex, bound to owner and field name. */
  of(field: string, text: string): string {
    const context = authenticatedData(['hash', this.ownerId, field]);
    return createHmac('sha256', this.key).update(context).update(text).digest('hex');
  }
}
