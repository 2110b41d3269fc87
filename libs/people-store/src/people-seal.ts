import { openField, sealField } from '@stablecoin/personal-data/sealed-field';

type PeopleField = 'name' | 'email' | 'passkey-name';

/** Seals what is known of people, each value for the one that it belongs to. */
export class PeopleSeal {
  constructor(private readonly key: Buffer) {}

  seal(ownerId: string, field: PeopleField, text: string): string {
    return sealField(this.key, ownerId, field, text);
  }

  open(ownerId: string, field: PeopleField, sealed: string): string {
    return openField(this.key, ownerId, field, sealed);
  }
}
