import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';

/** What a person asks for at the console: who it is goes on the record of acts, by the ids that the backoffice knows it by. */
export class PersonsCommand extends MerchantCommand {
  @IsUuid() person_id: string;
  @IsUuid() member_id: string;
}
