import type { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import type { Caller } from '../authentication/caller';
import type { Command } from '../idempotency/command';

/** What the hooks know of a request before its controller runs. */
declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every route under /api. */
    caller: Caller | undefined;
    /** Set for POST, PUT and DELETE under /api. */
    command: Command | undefined;
    /** Milliseconds that are left for the request's work, not counting the time its body takes to arrive. */
    budgetMs: number;
    /** The hash of its input, where the body was read another way than by the JSON parser. */
    inputHash: string | undefined;
    /** It holds a slot of the `InFlightLimiter`. */
    isInFlight: boolean;
    /** Set when it was answered with an error. */
    refusedWith: ErrorCode | undefined;
    /** Set when it was refused because too many requests wait for this service already. */
    fullService: string | undefined;
  }

  interface FastifyContextConfig {
    /** Takes documents, and so a larger body. */
    takesDocuments?: boolean;
    /** Takes one file, as multipart/form-data. */
    takesFile?: boolean;
    /** Exists for test keys only. */
    sandboxOnly?: boolean;
    /** Tokens of the rate limit that a request takes; 1 if not set. */
    cost?: number;
  }
}
