import { isLoopbackHost } from '@stablecoin/contracts/wire/loopback-host';
import { databaseUrl } from '@stablecoin/service-host/repeated-settings';
import { bytes, SettingDefinition, urlOf } from '@stablecoin/service-host/setting';

/** Settings that the service and the operators' command line share. */
export const BACKOFFICE_DATABASE_URL = databaseUrl(
  'backoffice',
  'Where people, their sessions and their acts are kept.',
);

/** A cookie that is sent in clear is anybody's: without TLS the console is there for this machine only. */
export function consoleOrigin(text: string): string {
  const { protocol, hostname, origin } = new URL(urlOf('https:', 'http:')(text));
  if (origin === text && (protocol === 'https:' || isLoopbackHost(hostname))) return text;
  throw new Error('an origin, as https://console.example.com; with http:// only one of this machine');
}

export const PEOPLE_KEY: SettingDefinition<Buffer> = {
  env: 'PEOPLE_KEY',
  describe: 'Seals the names and addresses of the people who sign in to the console. Lost with it: who they are.',
  example: '32 random bytes, from: openssl rand -base64 32',
  read: bytes(32, 'base64'),
  secret: true,
};
