import { OmitType } from '@nestjs/mapped-types';
import { OpenWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';

/** On the bus the description is sealed. */
export class OpenWalletBody extends OmitType(OpenWallet, [...INJECTED_FIELDS, 'description']) {
  @OptionalText({ max: 255 }) description?: string | null;
}
