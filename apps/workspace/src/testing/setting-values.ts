import { randomBytes } from 'node:crypto';
import type { SettingDefinition } from '@stablecoin/service-host/setting';

/** A valid value of the setting: its example, or a generated one if the example is a command that makes one. */
function valueFor({ example }: SettingDefinition<unknown>): string {
  const [, length, encoding, again] = /^(\d+) random bytes, from: openssl rand -(base64|hex) (\d+)/.exec(example) ?? [];
  // A list of keys names each by its place.
  if (length === undefined) return example.replace(/<[^>]+>/g, () => randomBytes(32).toString('base64'));
  if (length !== again) throw new Error(`An example that makes another number of bytes than it says: ${example}`);
  return randomBytes(Number(length)).toString(encoding === 'hex' ? 'hex' : 'base64');
}

/** An environment that sets everything. */
export const environmentOf = (settings: readonly SettingDefinition<unknown>[]): Record<string, string> =>
  Object.fromEntries(settings.map((setting) => [setting.env, valueFor(setting)]));
