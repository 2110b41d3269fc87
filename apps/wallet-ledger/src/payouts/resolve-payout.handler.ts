import { ResolvePayout, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { isUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(resolvePayout)
export class ResolvePayoutHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(request: ResolvePayout): Promise<CommandReply<TransactionView>> {
    const { merchant_id, resolution, rail_reference = null } = request;
    const transaction = isUuid(request.transaction) ? request.transaction.toLowerCase() : request.transaction;
    return this.shards.writer().submit({
      request,
      command: { kind: 'ResolvePayout', merchant_id, transaction, resolution, rail_reference },
      result: (ledger) => shownTransaction(ledger, transaction),
    });
  }
}
