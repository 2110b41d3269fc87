import { HoldPayout, holdPayout, HoldPayoutTerms } from '@stablecoin/contracts/wallet/hold-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { HoldPayout as HoldPayoutCommand } from '@stablecoin/ledger-domain/commands';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(holdPayout)
export class HoldPayoutHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(request: HoldPayout): Promise<CommandReply<TransactionView>> {
    const command = holdPayoutCommand(request);
    return this.shards.writer().submit({ request, command, result: (ledger) => shownTransaction(ledger, command.id) });
  }
}

/** The request's fields have the names of the command's; absent and null ones are left out of the log by `decide`. */
export function holdPayoutCommand({ key_mode, signer, ...request }: HoldPayoutTerms): HoldPayoutCommand {
  return {
    ...request,
    is_live: isLive(key_mode),
    created_by: signer,
    kind: 'HoldPayout',
    id: timeOrderedId(),
    reference_id: timeOrderedId(),
    customer_id: request.customer_id ?? null,
    recipient_currency: request.rail === 'bank' ? request.recipient_currency : null,
  };
}

/** The mode is that of the key, by the gateway. One of the version before says nothing, and is for test merchants. */
const isLive = (mode: HoldPayoutTerms['key_mode']): boolean => mode === 'live';
