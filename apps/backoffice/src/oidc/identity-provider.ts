import { createHmac } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { ProviderAccount, ProviderWay } from '@stablecoin/people-store/identities';
import type { Configuration, IDToken } from 'openid-client';
import { BackofficeConfiguration } from '../backoffice.configuration';
import { ConsoleOrigin } from '../http/console-origin';
import { requireWhole, WholeOidcSettings } from './oidc-settings';

export const CALLBACK_PATH = '/api/session/oidc/callback';
/** Of each of the requests to the provider: its description, the code's exchange, its keys. */
const TIMEOUT_SECONDS = 4;
const CLOCK_TOLERANCE_SECONDS = 10;
/** How long the provider's description and its keys are kept: one that is away, or a key that it takes back, shows within it. */
const DESCRIPTION_MS = 60_000;
const SUBJECT_CHARACTERS_MAX = 255;

/** It does not answer, or not as a provider: the person can try again, or sign in by a passkey. */
export class ProviderAway extends Error {}

/**
 * The identity provider, by OpenID Connect: authorization code with PKCE. State, nonce and verifier are derived of what the browser's
 * cookie holds, so that an answer counts only in the browser that asked. Of a person nothing is asked but the subject: neither name nor
 * e-mail. The library is loaded when the first person goes there.
 */
@Injectable()
export class IdentityProvider {
  private readonly log = new Logger(IdentityProvider.name);
  private readonly settings: WholeOidcSettings | null;
  private described: { configuration: Promise<Configuration>; until: number } | undefined;

  constructor(
    { oidc }: BackofficeConfiguration,
    private readonly console: ConsoleOrigin,
  ) {
    this.settings = requireWhole(oidc);
  }

  /** Null where there is no provider. */
  get name(): string | null {
    return this.settings?.name ?? null;
  }

  /**
   * Where the browser goes.
   *
   * @throws ProviderAway
   */
  async urlFor(way: ProviderWay): Promise<string> {
    const [client, configuration] = [await library(), await this.description()];
    const { state, nonce, verifier } = secretsOf(way);
    const url = client.buildAuthorizationUrl(configuration, {
      ...{
        scope: 'openid',
        response_type: 'code',
        redirect_uri: `${this.console.origin}${CALLBACK_PATH}`,
        state,
        nonce,
      },
      ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
    });
    return url.href;
  }

  /**
   * @param query with which the browser came back
   * @returns undefined where it proves nothing
   * @throws ProviderAway
   */
  async accountOf(way: ProviderWay, query: string): Promise<ProviderAccount | undefined> {
    const [client, configuration] = [await library(), await this.description()];
    const { state, nonce, verifier } = secretsOf(way);
    const url = new URL(`${CALLBACK_PATH}${query}`, this.console.origin);
    try {
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const claims = (await client.authorizationCodeGrant(configuration, url, checks)).claims();
      return claims && isForUs(claims, this.settings?.clientId)
        ? { issuer: claims.iss, subject: claims.sub }
        : undefined;
    } catch (error) {
      if (isAway(error)) throw this.away(error);
      this.log.warn({ msg: 'an answer of the identity provider was refused', code: codeOf(error) });
      return undefined;
    }
  }

  /** Asked for once by all who come at the same time, and again where that failed. */
  private async description(): Promise<Configuration> {
    const { settings } = this;
    if (settings === null) throw new ProviderAway();
    if (this.described === undefined || this.described.until < Date.now())
      this.described = { configuration: describe(settings), until: Date.now() + DESCRIPTION_MS };
    const { described } = this;
    try {
      return await described.configuration;
    } catch (error) {
      if (this.described === described) this.described = undefined;
      throw this.away(error);
    }
  }

  private away(error: unknown): ProviderAway {
    this.log.warn({ msg: 'the identity provider does not answer as one', code: codeOf(error) });
    return new ProviderAway();
  }
}

const library = () => import('openid-client');

async function describe({ issuer, clientId, clientSecret }: WholeOidcSettings): Promise<Configuration> {
  const client = await library();
  const own = { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS };
  // The library believes an ID token from the provider's own connection without its signature: here it is checked as well.
  const execute = [client.enableNonRepudiationChecks];
  // The library warns of it by calling it deprecated; only a provider of this machine is set with http://.
  const inClear = Reflect.get<typeof client, 'allowInsecureRequests'>(client, 'allowInsecureRequests');
  if (new URL(issuer).protocol === 'http:') execute.push(inClear);
  const authentication = client.ClientSecretBasic(clientSecret);
  const options = { execute, timeout: TIMEOUT_SECONDS };
  const configuration = await client.discovery(new URL(issuer), clientId, own, authentication, options);
  // For some providers the library takes another issuer than the one that was asked.
  if (configuration.serverMetadata().issuer !== issuer) throw new Error('it describes another issuer');
  return configuration;
}

/** What each end may know of a way: the verifier goes to the provider when the browser is back, the cookie's secret nowhere. */
function secretsOf({ token }: ProviderWay) {
  const derived = (name: string) => createHmac('sha256', token).update(name).digest('base64url');
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') };
}

/** The library lets others be named beside us, and takes a subject of any length. */
function isForUs({ aud, azp, sub }: IDToken, clientId: string | undefined): boolean {
  const isOurs = [aud].flat().every((one) => one === clientId) && (azp === undefined || azp === clientId);
  return isOurs && sub.length > 0 && sub.length <= SUBJECT_CHARACTERS_MAX;
}

const UNANSWERED: readonly unknown[] = [
  ...['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'],
];

/** fetch() says by a TypeError that nothing came. */
const isAway = (error: unknown): boolean =>
  UNANSWERED.includes(codeOf(error)) || (error instanceof TypeError && error.message === 'fetch failed');

/** What else an error has may be of a person: claims, or the code. */
const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
};
