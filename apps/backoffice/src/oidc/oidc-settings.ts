import { isLoopbackHost } from '@stablecoin/contracts/wire/loopback-host';
import { Setting, urlOf } from '@stablecoin/service-host/setting';

const BUTTON_NAME = /^(?! )[\p{L}\p{M}\p{N} .,&'()+-]{1,40}(?<! )$/u;
const IDENTIFIER = /^[\x21-\x7e]{1,256}$/;

/** What is exchanged with the provider in clear is anybody's: without TLS it has to be on this machine. */
function issuer(text: string): string {
  const { protocol, hostname, search, hash, username } = new URL(urlOf('https:', 'http:')(text));
  const isReachedSafely = protocol === 'https:' || isLoopbackHost(hostname);
  if (isReachedSafely && search === '' && hash === '' && username === '') return text;
  throw new Error('the URL of an issuer, as https://id.example.com; with http:// only one of this machine');
}

function identifier(text: string): string {
  if (IDENTIFIER.test(text)) return text;
  throw new Error('1 to 256 printable characters without a space');
}

function buttonName(text: string): string {
  if (BUTTON_NAME.test(text)) return text;
  throw new Error('a name of at most 40 letters, digits, spaces and signs of a name');
}

/** The identity provider of the people who sign in, by OpenID Connect. Without an issuer there is none. */
export class OidcSettings {
  @Setting<string | null>({
    env: 'OIDC_ISSUER',
    describe:
      'The issuer of the identity provider that people may sign in with, as its ID tokens name it. Without it, there is none.',
    example: 'https://id.example.com',
    read: issuer,
    default: null,
  })
  issuer: string | null;

  @Setting<string | null>({
    env: 'OIDC_CLIENT_ID',
    describe:
      'By what the provider knows this console. Its redirect URI there: CONSOLE_ORIGIN and /api/session/oidc/callback.',
    example: 'stablecoin-console',
    read: identifier,
    default: null,
  })
  clientId: string | null;

  @Setting<string | null>({
    env: 'OIDC_CLIENT_SECRET',
    describe: 'What the console proves itself with to the provider, by HTTP Basic.',
    example: 'a-secret-of-the-provider',
    read: identifier,
    secret: true,
    default: null,
  })
  clientSecret: string | null;

  @Setting<string | null>({
    env: 'OIDC_NAME',
    describe: "What the button calls the provider: “Sign in with …”. Without it, its issuer's host.",
    example: 'Example ID',
    read: buttonName,
    default: null,
  })
  name: string | null;
}

export interface WholeOidcSettings {
  issuer: string;
  clientId: string;
  clientSecret: string;
  name: string;
}

/**
 * @returns null where there is no provider
 * @throws Error where only a part is set
 */
export function requireWhole({ issuer, clientId, clientSecret, name }: OidcSettings): WholeOidcSettings | null {
  if (issuer === null && clientId === null && clientSecret === null && name === null) return null;
  if (issuer === null || clientId === null || clientSecret === null)
    throw new Error('set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, or none of OIDC_*');
  return { issuer, clientId, clientSecret, name: name ?? new URL(issuer).host };
}
