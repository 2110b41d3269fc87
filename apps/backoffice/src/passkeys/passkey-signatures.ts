import { Injectable } from '@nestjs/common';
import { DeviceSignature } from '@stablecoin/command-proofs/device-signature';
import { Passkeys, PasskeyUse } from '@stablecoin/people-store/passkeys';
import { Session } from '@stablecoin/people-store/sessions';
import { ConsoleRefusal } from '../http/console-refusal';
import { DeviceAnswer, signedIn } from './device-answer';
import { subjectPublicKeyInfo } from './public-key';
import { RelyingParty } from './relying-party';

export interface PersonSignature {
  use: PasskeyUse;
  /** As it goes to the ledger, which keeps it in the log. */
  signed: DeviceSignature;
}

/** What passkeys of a person sign for the ledger: a challenge that is the hash of what is wanted. */
@Injectable()
export class PasskeySignatures {
  constructor(
    private readonly passkeys: Passkeys,
    private readonly party: RelyingParty,
  ) {}

  /** @throws ConsoleRefusal for a person who has none */
  async optionsFor(challenge: string, session: Session) {
    const known = await this.passkeys.ofPerson(session);
    if (known.length === 0) throw new ConsoleRefusal('no_passkey_yet');
    return this.party.authenticationOptions(challenge, known);
  }

  /** @throws ConsoleRefusal unless a passkey of the person's has signed this challenge */
  async over(challenge: string, answer: DeviceAnswer, session: Session): Promise<PersonSignature> {
    const use = answer.challenge === challenge ? await this.useOf(answer, session) : undefined;
    const signed = signedIn(answer);
    if (!use || !signed) throw new ConsoleRefusal('passkey_refused');
    const public_key = (await subjectPublicKeyInfo(use.passkey.public_key)).toString('base64');
    return { use, signed: { ...signed, public_key } };
  }

  private async useOf(answer: DeviceAnswer, { person_id }: Session): Promise<PasskeyUse | undefined> {
    const passkey = await this.passkeys.find(answer.credentialId);
    return passkey?.person_id === person_id ? this.party.answered(answer, passkey) : undefined;
  }
}
