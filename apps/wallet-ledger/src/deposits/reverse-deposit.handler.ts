import { Logger } from '@nestjs/common';
import { ReverseDeposit, reverseDeposit } from '@stablecoin/contracts/wallet/reverse-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { NETWORKS } from '@stablecoin/money/currency';
import { initializeSeries, instruments } from '@stablecoin/telemetry/metrics/instruments';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { shownTransaction } from '../transactions/transaction-view';

/** Counted and logged, because an operator has to know: money that was credited is gone. */
@Handles(reverseDeposit)
export class ReverseDepositHandler {
  private readonly log = new Logger(ReverseDepositHandler.name);

  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {
    initializeSeries('ledger_deposits_reversed_total', { rail: ['bank', ...NETWORKS] });
  }

  async execute(request: ReverseDeposit): Promise<CommandReply<TransactionView>> {
    const { merchant_id, id } = request;
    await this.evidence.ofDepositEnd(reverseDeposit, request);
    const reply = await this.shards.writer().submit({
      request,
      command: { kind: 'ReverseDeposit', merchant_id, transaction: id },
      result: (ledger) => shownTransaction(ledger, id),
    });
    if (!reply.replayed) this.report(reply.result);
    return reply;
  }

  private report({ id, merchant_id, network }: TransactionView): void {
    const rail = network ?? 'bank';
    this.log.warn({
      alert: 'deposit_reversed',
      msg: 'a deposit is reversed: its money is gone',
      id,
      merchant_id,
      rail,
    });
    instruments.ledger_deposits_reversed_total.inc({ rail });
  }
}
