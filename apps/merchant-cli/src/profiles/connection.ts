/**
 * With which key a command speaks to which service. A profile that is named by --profile is taken as it is. Else STABLECOIN_API_KEY
 * goes before the current profile, so that a CI job needs no file, and STABLECOIN_BASE_URL before that profile's address.
 */

import { Stablecoin } from 'stablecoin-sdk';
import type { AttemptLog } from 'stablecoin-sdk';
import { UsageError } from '../failures';
import { Configuration, readConfiguration } from './configuration-file';

export const DEFAULT_BASE_URL = 'http://127.0.0.1:3000/api';
/** The profile's name where the key comes from the environment. */
export const ENVIRONMENT = '(environment)';
const SHOWN_OF_KEY = 4;

export interface Connection {
  profile: string;
  apiKey: string;
  baseUrl: string;
}

/** @param profile as named by a flag, which goes before the environment. @throws UsageError when there is no key */
export function connectionOf(env: NodeJS.ProcessEnv, profile?: string): Connection {
  if (profile !== undefined) return ofProfile(readConfiguration(env), profile, `stablecoin login --profile ${profile}`);
  const { STABLECOIN_API_KEY: apiKey, STABLECOIN_BASE_URL: baseUrl } = env;
  if (apiKey) return { profile: ENVIRONMENT, apiKey, baseUrl: baseUrl || DEFAULT_BASE_URL };
  const configuration = readConfiguration(env);
  const found = ofProfile(configuration, configuration.current, 'stablecoin login, or set STABLECOIN_API_KEY');
  return { ...found, baseUrl: baseUrl || found.baseUrl };
}

function ofProfile(configuration: Configuration, name: string, wayOut: string): Connection {
  const found = ownProfile(configuration, name);
  if (found === undefined) throw new UsageError(`There is no key for the profile ${name}: ${wayOut}`);
  return { profile: name, apiKey: found.api_key, baseUrl: found.base_url };
}

export const ownProfile = ({ profiles }: Configuration, name: string) =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

export function clientOf({ apiKey, baseUrl }: Connection, logger?: (attempt: AttemptLog) => void): Stablecoin {
  return new Stablecoin({ apiKey, baseUrl, logger });
}

/** Enough to tell keys apart, and no more: `sk_test_…f00d`. */
export function maskedKey(apiKey: string): string {
  const prefix = /^sk_(test|live)_/.exec(apiKey)?.[0] ?? '';
  return `${prefix}…${apiKey.slice(-SHOWN_OF_KEY)}`;
}
