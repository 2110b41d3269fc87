import { Network } from '@stablecoin/money/currency';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsNetwork } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { UNRECOGNISED_REASONS, UnrecognisedReason, UnrecognisedView } from './views';

/** What waits for an operator, newest first. Transfers that are on the chain no longer are left out. */
export class ListUnrecognised {
  @Optional() @IsNetwork() network?: Network;
  @Optional() @IsOneOf(UNRECOGNISED_REASONS) reason?: UnrecognisedReason;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export const listUnrecognised = operation({
  subject: 'chain.list-unrecognised',
  readOnly: true,
  request: ListUnrecognised,
  reply: replies<Page<UnrecognisedView>>(),
  errors: [],
});
