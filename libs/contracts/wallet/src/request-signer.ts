import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';

/**
 * Whose request it is: the API key, and the signer that it shares with the other keys of the same person; or, of one who is signed in to
 * the console, the membership and the person.
 */
export class RequestSigner {
  @IsUuid() key_id: string;
  @IsUuid() signer_id: string;
}
