import { Injectable } from '@nestjs/common';
import { CHALLENGE_MINUTES, NewPasskey, Passkey, PasskeyUse } from '@stablecoin/people-store/passkeys';
import type { Session } from '@stablecoin/people-store/sessions';
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isIP } from 'node:net';
import { ConsoleOrigin } from '../http/console-origin';
import { ConsoleRefusal } from '../http/console-refusal';
import { DeviceAnswer } from './device-answer';

const NAME = 'Stablecoin accounts';
const TIMEOUT_MS = CHALLENGE_MINUTES * 60_000;
/**
 * EdDSA, ES256, RS256, by their numbers at https://www.iana.org/assignments/cose: what is signed with them, the ledger and auditors can
 * judge. The library would offer whatever the running Node knows.
 */
const ALGORITHMS = [-8, -7, -257];

/**
 * This console as a device knows it, by the rules of https://www.w3.org/TR/webauthn-3/: a passkey is for one host, answers pages of
 * one origin, and its person was verified by the device. Loaded when the first person uses one.
 */
@Injectable()
export class RelyingParty {
  constructor(private readonly console: ConsoleOrigin) {}

  /** @param known what the person has already: a device makes no second one */
  async registrationOptions(challenge: string, { person_id, name, email }: Session, known: readonly Passkey[]) {
    const { generateRegistrationOptions } = await library();
    return generateRegistrationOptions({
      ...{ rpName: NAME, rpID: this.host, timeout: TIMEOUT_MS, attestationType: 'none' },
      supportedAlgorithmIDs: ALGORITHMS,
      ...{ userName: email, userDisplayName: name, userID: Buffer.from(person_id.replaceAll('-', ''), 'hex') },
      challenge: Buffer.from(challenge, 'base64url'),
      excludeCredentials: known.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /** @param ofPerson undefined before it is known who signs in: the device knows its passkeys for this host */
  async authenticationOptions(challenge: string, ofPerson?: readonly Passkey[]) {
    const { generateAuthenticationOptions } = await library();
    return generateAuthenticationOptions({
      ...{ rpID: this.host, timeout: TIMEOUT_MS, userVerification: 'required' },
      challenge: Buffer.from(challenge, 'base64url'),
      ...(ofPerson && { allowCredentials: ofPerson.map(descriptorOf) }),
    });
  }

  /** Undefined where it does not prove that a device made a passkey for this host and challenge. */
  async registered({ challenge, json }: DeviceAnswer, name: string): Promise<NewPasskey | undefined> {
    const { verifyRegistrationResponse } = await library();
    const verified = await verifyRegistrationResponse({
      response: json as unknown as RegistrationResponseJSON,
      supportedAlgorithmIDs: ALGORITHMS,
      ...this.expected(challenge),
    }).catch(provesNothing);
    if (!verified?.verified) return undefined;
    const { id, publicKey, counter, transports } = verified.registrationInfo.credential;
    return {
      name,
      credential_id: Buffer.from(id, 'base64url'),
      public_key: Buffer.from(publicKey),
      uses: counter,
      transports: transports ?? [],
    };
  }

  /** Undefined where it does not prove that the passkey's device was shown the challenge by a page of this console. */
  async answered({ challenge, json }: DeviceAnswer, passkey: Passkey): Promise<PasskeyUse | undefined> {
    const { verifyAuthenticationResponse } = await library();
    const verified = await verifyAuthenticationResponse({
      response: json as unknown as AuthenticationResponseJSON,
      ...this.expected(challenge),
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: new Uint8Array(passkey.public_key),
        // Counted by the row itself, so that two uses at once can't both pass.
        counter: 0,
      },
    }).catch(provesNothing);
    return verified?.verified ? { passkey, uses: verified.authenticationInfo.newCounter } : undefined;
  }

  /** Devices keep passkeys for names, not for addresses. */
  get isPossible(): boolean {
    return isIP(this.hostname.replace(/^\[|\]$/g, '')) === 0;
  }

  private get hostname(): string {
    return new URL(this.console.origin).hostname;
  }

  private expected(challenge: string) {
    return {
      ...{ expectedChallenge: challenge, expectedOrigin: this.console.origin, expectedRPID: this.host },
      requireUserVerification: true,
    };
  }

  /** @throws ConsoleRefusal where the console is reached by an address */
  private get host(): string {
    if (!this.isPossible) throw new ConsoleRefusal('no_passkeys_here');
    return this.hostname;
  }
}

const library = () => import('@simplewebauthn/server');

const descriptorOf = ({ credential_id, transports }: Passkey) => ({
  id: credential_id.toString('base64url'),
  transports: transports as AuthenticatorTransport[],
});

/** The library says by an error why: to a person all are alike, and the log has the refusal. */
const provesNothing = () => undefined;
