import { ListMerchants, listMerchants } from '@stablecoin/contracts/customer/list-merchants';
import { MerchantView } from '@stablecoin/contracts/customer/merchant-view';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantDirectory } from './merchant-directory';

@Handles(listMerchants)
export class ListMerchantsHandler {
  constructor(private readonly directory: MerchantDirectory) {}

  execute(request: ListMerchants): Promise<Page<MerchantView>> {
    return asRefusal(() => this.directory.page(request));
  }
}
