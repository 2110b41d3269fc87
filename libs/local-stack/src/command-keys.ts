// The keys by which the ledger knows which service asks it: each service's own secret, and what the ledger and auditors know of
// all of them. Derived here from the secrets, for the local stack and for a deployment's files.

import { callerKeysText } from '@stablecoin/command-proofs/caller-keys';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';

/** Who asks the ledger for commands: services, and the operators' command line. */
export const COMMAND_CALLERS = [
  ...(['gateway', 'backoffice', 'customer', 'swap-pricing', 'payout', 'chain', 'operator'] as const),
] as const;
export type CommandCaller = (typeof COMMAND_CALLERS)[number];
/** Of these, the ones that state something of the world outside. */
const EVIDENCE_OF = ['backoffice', 'swap-pricing', 'payout', 'chain', 'operator'] as const;

/** The name of the secret that holds a service's COMMAND_KEY. */
export const commandKeyName = (service: string) => `${service.replaceAll('-', '_')}_command_key`;

type SecretOf = (name: string) => string;

/** The value of COMMAND_CALLER_KEYS. */
export const callerKeysOf = (secretOf: SecretOf): string =>
  callerKeysText(COMMAND_CALLERS.map((service) => [service, callerSecret(service, secretOf).macKey] as const));

/** The value of COMMAND_EVIDENCE_KEYS. */
export const evidenceKeysOf = (secretOf: SecretOf): string =>
  callerKeysText(EVIDENCE_OF.map((service) => [service, callerSecret(service, secretOf).evidenceKey] as const));

/** What a service is given of these keys, by the names of its settings. */
export function commandSettings(service: string, secretOf: SecretOf): Record<string, string> {
  if (service === 'wallet-ledger')
    return { COMMAND_CALLER_KEYS: callerKeysOf(secretOf), COMMAND_EVIDENCE_KEYS: evidenceKeysOf(secretOf) };
  if (service === 'signer') return { COMMAND_EVIDENCE_KEYS: evidenceKeysOf(secretOf) };
  const isCaller = COMMAND_CALLERS.some((caller) => caller === service);
  return isCaller ? { COMMAND_KEY: secretOf(commandKeyName(service)) } : {};
}

const callerSecret = (service: CommandCaller, secretOf: SecretOf) =>
  new CallerSecret(service, Buffer.from(secretOf(commandKeyName(service)), 'base64'));
