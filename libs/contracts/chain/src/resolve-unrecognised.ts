import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/**
 * `credit`: to a wallet, as a deposit that is confirmed like any other. `ignore`: nothing will be done. `returned`: it was
 * sent back by hand, in a transaction that is named.
 */
const UNRECOGNISED_RESOLUTIONS = ['credit', 'ignore', 'returned'] as const;
export type UnrecognisedResolution = (typeof UNRECOGNISED_RESOLUTIONS)[number];

export class ResolveUnrecognised {
  @IsUuid() id: string;
  @IsOneOf(UNRECOGNISED_RESOLUTIONS) resolution: UnrecognisedResolution;
  /** For `credit`. */
  @Optional() @IsUuid() wallet_id?: string | null;
  /** For `returned`. */
  @Optional() @IsText({ max: 128 }) transaction_hash?: string | null;
  /** The operator. */
  @IsText({ max: 100 }) actor: string;
  @IsText({ max: 500 }) reason: string;
}

export interface Resolved {
  id: string;
  resolution: UnrecognisedResolution;
}

/** Each is resolved once, and recorded with who and why: `invalid_transition` for one that is resolved already. */
export const resolveUnrecognised = operation({
  subject: 'chain.resolve-unrecognised',
  request: ResolveUnrecognised,
  reply: replies<Resolved>(),
  errors: ['not_found', 'wallet_not_found', 'invalid_transition', 'unsupported_pair'],
});
