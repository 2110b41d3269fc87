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

/** Absent and null fields are left out of the log by `decide`. Field by field: an object made of the rest of another one is slow. */
export function holdPayoutCommand(request: HoldPayoutTerms): HoldPayoutCommand {
  return {
    kind: 'HoldPayout',
    merchant_id: request.merchant_id,
    customer_id: request.customer_id ?? null,
    id: timeOrderedId(),
    reference_id: timeOrderedId(),
    currency: request.currency,
    amount: request.amount,
    network: request.network,
    sealed_destination: request.sealed_destination,
    bank_name: request.bank_name,
    bank_code: request.bank_code,
    recipient_currency: request.rail === 'bank' ? request.recipient_currency : null,
    recipient_country: request.recipient_country,
    exchange_rate: request.exchange_rate,
    fee_schedule: request.fee_schedule,
    is_live: isLive(request.key_mode) || isLive(currentRequest()?.caller?.request?.mode),
    destination_hash: request.destination_hash,
    created_by: request.signer,
  };
}

/** The mode is that of the key, by the gateway, which also proves it: what the log keeps of it is what was judged by. */
const isLive = (mode: string | null | undefined): boolean => mode === 'live';
