import { HoldPayout, holdPayout, HoldPayoutTerms } from '@stablecoin/contracts/wallet/hold-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { HoldPayout as HoldPayoutCommand } from '@stablecoin/ledger-domain/commands';
import { Handles } from '@stablecoin/messaging/handles';
import { CommandEvidence } from '../callers/command-evidence';
import { currentRequest } from '@stablecoin/messaging/request-context';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(holdPayout)
export class HoldPayoutHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {}

  async execute(request: HoldPayout): Promise<CommandReply<TransactionView>> {
    this.evidence.ofPayout(request);
    const command = holdPayoutCommand(request);
    return this.shards.writer().submit({ request, command, result: (ledger) => shownTransaction(ledger, command.id) });
  }
}

/** The request's fields have the names of the command's; absent and null ones are left out of the log by `decide`. */
export function holdPayoutCommand({ key_mode, signer, ...request }: HoldPayoutTerms): HoldPayoutCommand {
  return {
    ...request,
    is_live: isLive(key_mode) || isLive(currentRequest()?.caller?.request?.mode),
    created_by: signer,
    kind: 'HoldPayout',
    id: timeOrderedId(),
    reference_id: timeOrderedId(),
    customer_id: request.customer_id ?? null,
    recipient_currency: request.rail === 'bank' ? request.recipient_currency : null,
  };
}

/** The mode is that of the key, by the gateway, which also proves it: what the log keeps of it is what was judged by. */
const isLive = (mode: string | null | undefined): boolean => mode === 'live';
