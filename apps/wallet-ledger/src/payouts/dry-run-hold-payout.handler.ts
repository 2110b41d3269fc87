import { DryRunHoldPayout, dryRunHoldPayout } from '@stablecoin/contracts/wallet/dry-run-hold-payout';
import { DryRunTransactionView } from '@stablecoin/contracts/wallet/views';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';
import { dryRunTransaction } from '../transactions/transaction-view';
import { holdPayoutCommand } from './hold-payout.handler';

@Handles(dryRunHoldPayout)
export class DryRunHoldPayoutHandler {
  constructor(private readonly shards: LedgerShards) {}

  async execute(request: DryRunHoldPayout): Promise<DryRunTransactionView> {
    const command = holdPayoutCommand(request);
    const result = (ledger: LedgerView) => dryRunTransaction(ledger, command.id);
    return (await this.shards.writer().dryRun({ request, command, result })).result;
  }
}
