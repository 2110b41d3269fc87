import { ErrorCode, FieldError } from './error-codes';

/**
 * A request that is answered with "no": one code of the closed set, with details for `validation_failed`.
 * Thrown by services and by the bus client alike, so that a refusal looks the same on both sides of the bus.
 * Everything else that is thrown is a bug or an outage.
 */
export class Refusal extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly fields?: readonly FieldError[],
    /** With `unavailable`, whose outcome is unknown otherwise. */
    readonly notExecuted = false,
  ) {
    super(code);
    this.name = 'Refusal';
  }

  /** Refused before execution: there was no capacity, or no instance that answers. Any request may be sent again. */
  static notExecuted(): Refusal {
    return new Refusal('unavailable', undefined, true);
  }

  static ofField(field: string, code: string, message: string): Refusal {
    return new Refusal('validation_failed', [{ field, code, message }]);
  }
}
