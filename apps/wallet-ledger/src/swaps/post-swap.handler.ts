import { SWAP_REQUEST } from '@stablecoin/contracts/wallet/merchant-requests';
import { PostedSwap, PostSwap, postSwap, PostSwapTerms } from '@stablecoin/contracts/wallet/post-swap';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { PostSwap as PostSwapCommand } from '@stablecoin/ledger-domain/commands';
import { Handles } from '@stablecoin/messaging/handles';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(postSwap)
export class PostSwapHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {}

  async execute(request: PostSwap): Promise<CommandReply<PostedSwap>> {
    const command = postSwapCommand(request, this.evidence.ofQuote(request, SWAP_REQUEST));
    return this.shards.writer().submit({
      request,
      command,
      result: (ledger) => ({
        debit_transaction: shownTransaction(ledger, command.debit_id),
        credit_transaction: shownTransaction(ledger, command.credit_id),
      }),
    });
  }
}

export function postSwapCommand(
  request: PostSwapTerms,
  proven: Pick<PostSwapCommand, 'rates' | 'mode'>,
): PostSwapCommand {
  const { merchant_id, customer_id = null, swap_id, quoted_price, valid_until } = request;
  const { from_currency, to_currency, from_amount, to_amount } = request;
  return {
    kind: 'PostSwap',
    merchant_id,
    customer_id,
    debit_id: timeOrderedId(),
    credit_id: timeOrderedId(),
    swap_id,
    from_currency,
    to_currency,
    from_amount,
    to_amount,
    quoted_price,
    valid_until,
    ...proven,
  };
}
