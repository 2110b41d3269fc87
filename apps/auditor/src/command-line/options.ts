import { parseMoment } from '@stablecoin/contracts/wallet/as-of';
import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { Witness } from '@stablecoin/witness/witness';
import { witnessAt } from '@stablecoin/witness/witness-address';
import { InvalidArgumentError } from 'commander';
import { AuditFailure } from '../report/report';
import { settingOf } from '../settings/setting-of';

export const JSON_HELP = 'one JSON object on stdout';
export const WITNESS_HELP = 'file:/DIRECTORY, or URL#name+id+key; else those in AUDIT_WITNESSES';

/** An option that may be given several times. */
export const collected =
  <Value>(read: (text: string) => Value) =>
  (text: string, before: Value[] = []): Value[] => [...before, read(text)];

export function wholeNumber(text: string): number {
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}

/** ISO 8601 with a zone. */
export function pointInTime(text: string): Date {
  const moment = parseMoment(text);
  if (moment && 'time' in moment) return new Date(moment.time);
  throw new InvalidArgumentError('It takes a time with its zone, such as 2026-11-21T12:00:00Z.');
}

export function trustedKey(text: string): TrustedKey {
  const key = parseTrustedKey(text);
  if (!key) throw new InvalidArgumentError('It takes 32 bytes in base64, or a key in the form name+id+base64.');
  return key;
}

export function witness(address: string): Witness {
  try {
    return witnessAt(address);
  } catch (error) {
    throw new InvalidArgumentError(`It takes ${(error as Error).message}.`);
  }
}

/** Those that the environment names, by commas. */
export function configuredWitnesses(env: NodeJS.ProcessEnv): Witness[] {
  const addresses = (settingOf(env, 'AUDIT_WITNESSES') ?? '').split(',').filter((address) => address.trim() !== '');
  return addresses.map((address) => {
    try {
      return witnessAt(address.trim());
    } catch (error) {
      throw new AuditFailure(`AUDIT_WITNESSES: expected ${(error as Error).message}.`);
    }
  });
}

const namesIn = (text: string): string[] => text.split(',').flatMap((name) => name.trim() || []);

/** By commas. */
export function loginNames(text: string): string[] {
  const names = namesIn(text);
  if (names.length === 0) throw new InvalidArgumentError('It takes names of logins, by commas.');
  return names;
}

/** Undefined where the environment names none. */
export function configuredLogins(env: NodeJS.ProcessEnv): string[] | undefined {
  const names = namesIn(settingOf(env, 'AUDIT_LOGINS') ?? '');
  return names.length > 0 ? names : undefined;
}

export const ACTS_HELP = "also compares with the record of operators' acts, as operator log --export prints it";
export const ACTS_HEAD_HELP = 'with --acts: a head of that record that was written down, which it must have';
