import { FailDeposit, failDeposit } from '@stablecoin/contracts/wallet/fail-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(failDeposit)
export class FailDepositHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {}

  async execute(request: FailDeposit): Promise<CommandReply<TransactionView>> {
    const { merchant_id, id } = request;
    await this.evidence.ofDepositEnd(failDeposit, request);
    return this.shards.writer().submit({
      request,
      command: { kind: 'FailDeposit', merchant_id, transaction: id },
      result: (ledger) => shownTransaction(ledger, id),
    });
  }
}
