import { ErrorCode, FieldError } from './error-codes';

/**
 * A request that is answered with "no": one code of the closed set, with details for `validation_failed`.
 * Services and the bus client both throw it, so that a refusal looks the same on both sides of the bus.
 *
 * | thrown | by | means |
 * |---|---|---|
 * | `Refusal` | services, bus client, gateway | the request ends with this error code |
 * | `LedgerRejection` | `decide` in ledger-domain | a rule of the ledger rejects a command; the writer answers a `Refusal` with its code |
 * | `OperatorError` | operators' and developers' commands | an expected failure: its message names cause and way out |
 * | `AuditFailure` | the auditor | ends its command with one line: exit code 1 for a finding, 2 for wrong usage or an outage |
 *
 * Every other error is a bug or an outage: it is logged with its stack and answered with `internal_error`.
 */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly fields?: readonly FieldError[],
    /** With `unavailable`, whose outcome is unknown otherwise. */
    readonly notExecuted = false,
    /** With `rate_limited`, where it is known when there is room again. */
    readonly retryAfterSeconds?: number,
  ) {
    super(code);
    this.name = 'Refusal';
  }

  /** Refused before execution: there was no capacity, or no instance that answers. Any request may be sent again. */
  static notExecuted(): Refusal {
    return new Refusal('unavailable', undefined, true);
  }

  static rateLimited(retryAfterSeconds: number): Refusal {
    return new Refusal('rate_limited', undefined, false, retryAfterSeconds);
  }

  static ofField(field: string, code: string, message: string): Refusal {
    return new Refusal('validation_failed', [{ field, code, message }]);
  }
}
