import type { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import type { OpenSpan } from '@stablecoin/telemetry/traces/tracing';
import type { Caller } from '../authentication/caller';
import type { Command } from '../idempotency/command';

/** What the hooks find out about a request before its controller runs. */
declare module 'fastify' {
  interface FastifyRequest {
    /** Set for every route under /api. */
    caller: Caller | undefined;
    /** Set for POST, PUT and DELETE under /api. */
    command: Command | undefined;
    /** Milliseconds that are left for the request's work, less the time its body takes to arrive. */
    budgetMs: number;
    /** Counts among the requests that are worked on. */
    isInFlight: boolean;
    /** Set when it was answered with an error. */
    refusedWith: ErrorCode | undefined;
    /** Set when it was refused since too many wait for that service already. */
    foundFull: string | undefined;
    /** Of its trace; undefined when traces are off. */
    span: OpenSpan | undefined;
  }

  interface FastifyContextConfig {
    /** Takes documents, and so a larger body. */
    takesDocuments?: boolean;
    /** There only for test keys. */
    sandboxOnly?: boolean;
  }
}
