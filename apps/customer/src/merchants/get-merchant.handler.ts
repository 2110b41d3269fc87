import { GetMerchant, getMerchant } from '@stablecoin/contracts/customer/get-merchant';
import { MerchantView } from '@stablecoin/contracts/customer/merchant-view';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantDirectory } from './merchant-directory';

@Handles(getMerchant)
export class GetMerchantHandler {
  constructor(private readonly directory: MerchantDirectory) {}

  async execute({ merchant_id }: GetMerchant): Promise<MerchantView> {
    const found = await asRefusal(() => this.directory.find(merchant_id));
    if (found === undefined) throw new Refusal('not_found');
    return found;
  }
}
