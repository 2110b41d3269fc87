import { ResolvePayout, resolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { OnwardIds, ResolvePayout as ResolvePayoutCommand } from '@stablecoin/ledger-domain/commands';
import { Handles } from '@stablecoin/messaging/handles';
import { DepositAddressBook } from '../deposit-addresses/deposit-address-book';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { transactionReference } from '../transactions/transaction-reference';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(resolvePayout)
export class ResolvePayoutHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly addresses: DepositAddressBook,
    private readonly evidence: CommandEvidence,
  ) {}

  async execute(request: ResolvePayout): Promise<CommandReply<TransactionView>> {
    const proven = await this.evidence.ofSettlement(request);
    if (request.resolution !== 'REVERSED') return this.submit(request, proven, null);
    const ids = { debit_id: timeOrderedId(), credit_id: timeOrderedId(), wallet_id: timeOrderedId() };
    const onward = { ...ids, address_index: await this.addresses.drawIndex() };
    const reply = await this.submit(request, proven, onward);
    // Few returns open a wallet.
    await this.addresses.returnUnused(onward);
    return reply;
  }

  private submit(
    request: ResolvePayout,
    proven: Pick<ResolvePayoutCommand, 'rail' | 'mode'>,
    onward: OnwardIds | null,
  ): Promise<CommandReply<TransactionView>> {
    const { merchant_id, resolution, rail_reference = null } = request;
    const transaction = transactionReference(request.transaction);
    return this.shards.writer().submit({
      request,
      command: { kind: 'ResolvePayout', merchant_id, transaction, resolution, rail_reference, onward, ...proven },
      result: (ledger) => shownTransaction(ledger, transaction),
    });
  }
}
