import { randomBytes } from 'node:crypto';
import type { SettingDefinition } from '@stablecoin/service-host/setting';

/** A value that the setting takes: its example, or, where that says how to make one, one that is made so. */
function valueFor({ example }: SettingDefinition<unknown>): string {
  const [, length, encoding, again] = /^(\d+) random bytes, from: openssl rand -(base64|hex) (\d+)/.exec(example) ?? [];
  if (length === undefined) return example;
  if (length !== again) throw new Error(`An example that makes another number of bytes than it says: ${example}`);
  return randomBytes(Number(length)).toString(encoding === 'hex' ? 'hex' : 'base64');
}

/** An environment that sets everything. */
export const environmentOf = (settings: readonly SettingDefinition<unknown>[]): Record<string, string> =>
  Object.fromEntries(settings.map((setting) => [setting.env, valueFor(setting)]));
