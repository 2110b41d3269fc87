import { Injectable } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { UnauthenticatedRateLimits } from '@stablecoin/http-answers/unauthenticated-rate-limits';
import { tokenHash } from '@stablecoin/people-store/tokens';
import { LRUCache } from 'lru-cache';

/** Of one address without a session that is known here: a browser asks a handful of times before its person has signed in. */
const OF_ADDRESS = { perSecond: 5, burst: 50 };
/** How long a session counts as one that exists after it was last found: as long as it may be idle. */
const KNOWN_MS = 30 * 60_000;
const SESSIONS_MAX = 10_000;

/**
 * Limits who has not signed in as the gateway limits who has no valid key: each attempt with a link, or with a cookie that is not
 * known here, is taken from its address's bucket before anything is looked up, and given back where it signs in. A session that was
 * found lately goes on, whatever others try from its address.
 */
@Injectable()
export class SignInAttempts {
  private readonly limits = new UnauthenticatedRateLimits(OF_ADDRESS);
  private readonly known = new LRUCache<string, true>({ max: SESSIONS_MAX, ttl: KNOWN_MS });

  /**
   * @param network by what the browser is counted
   * @param signIn resolves to the cookie of the session that it begins
   * @throws Refusal `rate_limited`, and `unavailable` where all that guess have had their look-ups
   */
  async withSignIn(network: string, signIn: () => Promise<string | undefined>): Promise<string | undefined> {
    const cookie = await this.attempt(network, signIn);
    const session = cookie === undefined ? undefined : nameOf(cookie);
    if (session !== undefined) this.known.set(session, true);
    return cookie;
  }

  /** The same for a cookie; without one, or with one of another shape, there is nothing to look up. */
  async withCookie<Found>(
    cookie: string | undefined,
    network: string,
    lookUp: (token: string) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const session = cookie === undefined ? undefined : nameOf(cookie);
    if (cookie === undefined || session === undefined) {
      this.begin(network);
      return undefined;
    }
    const isKnown = this.known.has(session);
    const found = isKnown ? await lookUp(cookie) : await this.attempt(network, () => lookUp(cookie));
    if (found === undefined) this.known.delete(session);
    else this.known.set(session, true);
    return found;
  }

  private async attempt<Found>(network: string, lookUp: () => Promise<Found | undefined>): Promise<Found | undefined> {
    this.begin(network);
    if (!this.limits.mayLookUp(network)) throw Refusal.notExecuted();
    try {
      const found = await lookUp();
      if (found === undefined) this.limits.guessed(network);
      else this.limits.giveBack(network);
      return found;
    } catch (error) {
      this.limits.giveBack(network);
      throw error;
    }
  }

  /**
   * Takes an attempt of who has no session, without a look-up.
   *
   * @throws Refusal `rate_limited`
   */
  begin(network: string): void {
    const { allowed, waitMs } = this.limits.take(network);
    if (!allowed) throw Refusal.rateLimited(Math.max(1, Math.ceil(waitMs / 1_000)));
  }
}

/** Undefined for what can be no cookie. */
const nameOf = (cookie: string): string | undefined => tokenHash(cookie)?.toString('base64');
