import { Logger } from '@nestjs/common';
import { CancelTransfer, cancelTransfer } from '@stablecoin/contracts/chain/cancel-transfer';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { Sender } from './sender';
import { TransferStore } from './transfer-store';
import { TransferViews } from './transfer-views';

@Handles(cancelTransfer)
export class CancelTransferHandler {
  private readonly log = new Logger(CancelTransferHandler.name);

  constructor(
    private readonly store: TransferStore,
    private readonly sender: Sender,
    private readonly views: TransferViews,
  ) {}

  execute({ reference, actor, reason }: CancelTransfer): Promise<TransferView> {
    return asRefusal(async () => {
      await this.store.cancel(reference, actor, reason);
      const transfer = await this.store.find(reference);
      if (!transfer) throw new Refusal('not_found');
      const { state, failure, cancelledBy } = transfer;
      const hasEndedOtherwise = state === 'completed' || (state === 'failed' && failure !== 'cancelled');
      if (cancelledBy === null || hasEndedOtherwise) throw new Refusal('invalid_transition');
      this.log.log({ msg: 'cancellation', reference, actor, reason, state: transfer.state });
      this.sender.wake(transfer.network);
      return this.views.ofOne(transfer);
    });
  }
}
