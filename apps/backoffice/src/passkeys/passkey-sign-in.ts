import { Injectable } from '@nestjs/common';
import { Passkeys, PasskeyUse, Purpose } from '@stablecoin/people-store/passkeys';
import { Place, Session } from '@stablecoin/people-store/sessions';
import { ConsoleRefusal } from '../http/console-refusal';
import { DeviceAnswer } from './device-answer';
import { RelyingParty } from './relying-party';

/**
 * The steps with a passkey: a challenge is drawn for one purpose, the device signs it, and the answer uses it up before it is
 * judged. What is wrong with an answer is not told to who sends it.
 */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly party: RelyingParty,
  ) {}

  async signInOptions() {
    return this.party.authenticationOptions(await this.passkeys.drawChallenge({ is: 'sign-in' }));
  }

  /** @returns the cookie of a new session; undefined where the answer proves nothing */
  async signIn(answer: DeviceAnswer, place: Place): Promise<string | undefined> {
    const use = await this.useOf(answer, { is: 'sign-in' });
    return use && this.passkeys.signIn(use, place);
  }

  async stepUpOptions(session: Session) {
    const known = await this.passkeys.ofPerson(session);
    if (known.length === 0) throw new ConsoleRefusal('no_passkey_yet');
    const challenge = await this.passkeys.drawChallenge({ is: 'step-up', session });
    return this.party.authenticationOptions(challenge, known);
  }

  /** @throws ConsoleRefusal where the answer does not prove that the person of the session is there */
  async stepUp(answer: DeviceAnswer, session: Session): Promise<void> {
    const use = await this.useOf(answer, { is: 'step-up', session });
    if (use === undefined || use.passkey.person_id !== session.person_id) throw new ConsoleRefusal('passkey_refused');
    if (!(await this.passkeys.stepUp(use, session))) throw new ConsoleRefusal('passkey_refused');
  }

  async registrationOptions(session: Session) {
    const known = await this.passkeys.ofPerson(session);
    const challenge = await this.passkeys.drawChallenge({ is: 'registration', session });
    return this.party.registrationOptions(challenge, session, known);
  }

  async register(answer: DeviceAnswer, name: string, session: Session) {
    const isDrawn = await this.passkeys.takeChallenge(answer.challenge, { is: 'registration', session });
    const made = isDrawn ? await this.party.registered(answer, name) : undefined;
    if (made === undefined) throw new ConsoleRefusal('passkey_refused');
    const added = await this.passkeys.add(made, session);
    if (added === 'known') throw new ConsoleRefusal('passkey_known');
    if (added === 'too_many') throw new ConsoleRefusal('too_many_passkeys');
    return added;
  }

  private async useOf(answer: DeviceAnswer, purpose: Purpose): Promise<PasskeyUse | undefined> {
    if (!(await this.passkeys.takeChallenge(answer.challenge, purpose))) return undefined;
    const passkey = await this.passkeys.find(answer.credentialId);
    return passkey && this.party.answered(answer, passkey);
  }
}
