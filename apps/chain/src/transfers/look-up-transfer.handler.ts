import { LookUpTransfer, lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { TransferViews } from './transfer-views';

@Handles(lookUpTransfer)
export class LookUpTransferHandler {
  constructor(private readonly views: TransferViews) {}

  execute({ reference }: LookUpTransfer): Promise<TransferView> {
    return asRefusal(async () => {
      const view = await this.views.find(reference);
      if (!view) throw new Refusal('not_found');
      return view;
    });
  }
}
