import { ConfirmDeposit, confirmDeposit } from '@stablecoin/contracts/wallet/confirm-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(confirmDeposit)
export class ConfirmDepositHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {}

  async execute(request: ConfirmDeposit): Promise<CommandReply<TransactionView>> {
    const { merchant_id, id } = request;
    await this.evidence.ofDepositEnd(confirmDeposit, request);
    return this.shards.writer().submit({
      request,
      command: { kind: 'ConfirmDeposit', merchant_id, transaction: id },
      result: (ledger) => shownTransaction(ledger, id),
    });
  }
}
