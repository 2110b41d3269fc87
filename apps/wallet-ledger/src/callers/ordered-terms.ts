/** The terms of a command for which a person's order has to stand, as the order says them. */
import { SignedText } from '@stablecoin/command-proofs/command-mac';
import { PayoutOrder, SwapOrder } from '@stablecoin/command-proofs/order';
import type { ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { HoldPayoutTerms } from '@stablecoin/contracts/wallet/hold-payout';
import { PostSwapTerms } from '@stablecoin/contracts/wallet/post-swap';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { ProvenRequest } from '@stablecoin/messaging/request-context';
import { feeOf } from '@stablecoin/money/fee';
import { Money } from '@stablecoin/money/money';

type Terms<Ordered> = Partial<Omit<Ordered, 'type'>>;

export function orderedPayout(request: HoldPayoutTerms): Terms<PayoutOrder> {
  const { merchant_id, command_id, key_mode: mode, signer, currency, exchange_rate, rail } = request;
  const amount = Money.parse(currency, request.amount);
  return {
    ...{ merchant_id, customer_id: request.customer_id ?? null, mode, command_id },
    ...{ key_id: signer?.key_id, signer_id: signer?.signer_id },
    ...{
      currency,
      amount: amount.toString(),
      fee: feeOf(amount, request.fee_schedule)?.toString() ?? null,
      exchange_rate,
    },
    recipient_currency: rail === 'bank' ? request.recipient_currency : null,
    ...{ network: request.network ?? null, bank_code: request.bank_code ?? null },
    ...{ sealed_destination: request.sealed_destination, destination_hash: request.destination_hash },
  };
}

/** @param asked the person's request, whose command swap-pricing takes once */
export function orderedSwap(request: PostSwapTerms, { mode, asked }: ProvenRequest): Terms<SwapOrder> {
  const { merchant_id, swap_id, from_currency, to_currency, quoted_price: price } = request;
  const { command_id } = (asked as { body: Plain<ExecuteSwap> }).body;
  return {
    ...{ merchant_id, customer_id: request.customer_id ?? null, mode: mode as SwapOrder['mode'], command_id },
    ...{ swap_id, from_currency, to_currency, price },
    from_amount: Money.parse(from_currency, request.from_amount).toString(),
    to_amount: Money.parse(to_currency, request.to_amount).toString(),
  };
}

/** What a member's passkey has signed, where another service acts on the member's request. */
export function orderOf({ asked }: Pick<ProvenRequest, 'asked'>): SignedText | undefined {
  return (asked?.body as Plain<ExecuteSwap> | undefined)?.signed_order;
}
