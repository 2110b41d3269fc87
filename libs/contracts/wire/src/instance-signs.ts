/** Services whose instances say, every few seconds, that they are there and whether they can work. */
export const ANNOUNCED_SERVICES = [
  ...(['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout', 'chain', 'signer', 'backoffice'] as const),
] as const;
export type AnnouncedService = (typeof ANNOUNCED_SERVICES)[number];

/** One for each service: the broker lets no other say it. */
export const instanceSubject = (service: string): string => `instances.${service}`;

export const INSTANCE_SIGN_MS = 5_000;

export interface InstanceSign {
  /** Where it runs, and as which process. */
  instance: string;
  started_at: string;
  ready: boolean;
  phase: string;
  /** What does not hold, without secrets. */
  broken: string[];
}

const TEXT_MAX = 300;
const BROKEN_MAX = 50;
const isShort = (value: unknown): value is string => typeof value === 'string' && value.length <= TEXT_MAX;

export function isInstanceSign(value: unknown): value is InstanceSign {
  if (typeof value !== 'object' || value === null) return false;
  const { instance, started_at, ready, phase, broken } = value as Record<keyof InstanceSign, unknown>;
  const isList = Array.isArray(broken) && broken.length <= BROKEN_MAX && broken.every(isShort);
  return [instance, started_at, phase].every(isShort) && typeof ready === 'boolean' && isList;
}
