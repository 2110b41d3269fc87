import { SWAP_DRY_RUN_REQUEST } from '@stablecoin/contracts/wallet/merchant-requests';
import { DryRunPostSwap, dryRunPostSwap, PostedSwapDryRun } from '@stablecoin/contracts/wallet/dry-run-post-swap';
import { Handles } from '@stablecoin/messaging/handles';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { dryRunTransaction } from '../transactions/transaction-view';
import { postSwapCommand } from './post-swap.handler';

@Handles(dryRunPostSwap)
export class DryRunPostSwapHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {}

  async execute(request: DryRunPostSwap): Promise<PostedSwapDryRun | null> {
    const command = postSwapCommand(request, this.evidence.ofQuote(request, SWAP_DRY_RUN_REQUEST));
    const { result, replayed } = await this.shards.writer().dryRun({
      request,
      command,
      result: (ledger) => ({
        debit_transaction: dryRunTransaction(ledger, command.debit_id),
        credit_transaction: dryRunTransaction(ledger, command.credit_id),
      }),
    });
    return replayed ? null : result;
  }
}
