import { ListTransfers, listTransfers } from '@stablecoin/contracts/chain/list-transfers';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { TransferStore } from './transfer-store';
import { TransferViews } from './transfer-views';

@Handles(listTransfers)
export class ListTransfersHandler {
  constructor(
    private readonly store: TransferStore,
    private readonly views: TransferViews,
  ) {}

  execute(asked: ListTransfers): Promise<Page<TransferView>> {
    return asRefusal(async () => {
      const { items, total } = await this.store.list(asked);
      return { items: await this.views.of(items), total, page: asked.page, limit: asked.limit };
    });
  }
}
