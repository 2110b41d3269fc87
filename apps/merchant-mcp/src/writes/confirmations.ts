/**
 * A write takes two calls: the first shows what would happen and gives a token, the second has the token and does it.
 *
 * A token is worth something only to this process, for one tool, for exactly the arguments that were shown, and for
 * LIFETIME_MS. It stands for one effect: the Idempotency-Key is made of it, so a second call with it is the same command, whose stored
 * answer comes back. A call that was refused, by the service or by a person, ends it: what was shown isn't so any more.
 */

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const LIFETIME_MS = 5 * 60_000;
const NONCE_BYTES = 12;

export class ConfirmationError extends Error {
  constructor(
    readonly code: 'confirmation_invalid' | 'confirmation_expired' | 'confirmation_spent' | 'declined',
    message: string,
  ) {
    super(message);
  }
}

export interface Confirmation {
  token: string;
  expires_at: string;
}

export class Confirmations {
  private readonly secret = randomBytes(32);
  /** When they expire, by the token. */
  private readonly spent = new Map<string, number>();

  constructor(private readonly nowMs: () => number = Date.now) {}

  issue(tool: string, given: object): Confirmation {
    const expiresAtMs = this.nowMs() + LIFETIME_MS;
    const head = `${expiresAtMs}.${randomBytes(NONCE_BYTES).toString('base64url')}`;
    return { token: `${head}.${this.mac(head, tool, given)}`, expires_at: new Date(expiresAtMs).toISOString() };
  }

  /** Gives the Idempotency-Key of the one effect that the token stands for. @throws ConfirmationError */
  redeem(token: string, tool: string, given: object): string {
    this.assertValid(token, tool, given);
    if (this.spent.has(token)) {
      throw new ConfirmationError(
        'confirmation_spent',
        'This confirmation has ended: ask for a new preview, without a token.',
      );
    }
    return `mcp-${createHash('sha256').update(token).digest('hex')}`;
  }

  /** It was refused: the same token does nothing from now on. */
  end(token: string): void {
    const nowMs = this.nowMs();
    for (const [each, expiresAtMs] of this.spent) if (expiresAtMs <= nowMs) this.spent.delete(each);
    this.spent.set(token, nowMs + LIFETIME_MS);
  }

  private assertValid(token: string, tool: string, given: object): void {
    const [expiresAt = '', nonce = '', mac = '', ...more] = token.split('.');
    const isOurs = more.length === 0 && isSame(mac, this.mac(`${expiresAt}.${nonce}`, tool, given));
    if (!isOurs) {
      throw new ConfirmationError(
        'confirmation_invalid',
        'This token does not confirm these arguments of this tool: ask for a preview of exactly them, without a token.',
      );
    }
    if (this.nowMs() < Number(expiresAt)) return;
    throw new ConfirmationError('confirmation_expired', 'The preview is too old: ask for a new one, without a token.');
  }

  private mac(head: string, tool: string, given: object): string {
    return createHmac('sha256', this.secret)
      .update(JSON.stringify([head, tool, sorted(given)]))
      .digest('base64url');
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The same for the same fields in any order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]),
  );
}
