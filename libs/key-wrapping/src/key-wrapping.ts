import type { ReadinessCheck } from '@stablecoin/service-host/operations/readiness';

/**
 * What wraps the data keys of owners (merchants, customers, uploads), and opens them: a master key in the settings, or one
 * in an outside key management service, which never gives it out. Either way a wrapped key opens for its owner alone.
 */
export abstract class KeyWrapping {
  /** Whether a wrapped key is of this kind: the texts of each kind begin differently. */
  abstract recognises(wrapped: string): boolean;

  /** @throws Refusal `unavailable`, nothing executed, where an outside service does not answer */
  abstract wrap(dataKey: Buffer, ownerId: string): Promise<string>;

  /**
   * @throws DataKeyUnreadable for another owner, changed text, and a key that was wrapped with none of these master keys
   * @throws Refusal `unavailable`, nothing executed, where an outside service does not answer
   */
  abstract unwrap(wrapped: string, ownerId: string): Promise<Buffer>;

  /**
   * The same data key under the current master key; undefined when it already is.
   *
   * @throws as `unwrap` does
   */
  abstract rewrap(wrapped: string, ownerId: string): Promise<string | undefined>;

  /** For readiness: what is wrong, or undefined. @param wraps whether this process wraps data keys too */
  abstract check(process: { wraps: boolean }): Promise<string | undefined>;
}

export const keyManagementCheck = (wrapping: KeyWrapping, process: { wraps: boolean }): ReadinessCheck => ({
  name: 'key_management',
  look: () => wrapping.check(process),
});
