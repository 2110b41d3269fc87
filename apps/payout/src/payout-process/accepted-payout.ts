import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Currency, Network } from '@stablecoin/money/currency';

/** A payout as the ledger described it, in a fact or in a reply. */
export interface AcceptedPayout {
  id: string;
  transaction_id: string;
  merchant_id: string;
  customer_id: string | null;
  shard: number;
  network: Network | null;
  bank_code: string | null;
  currency: Currency;
  amount: string;
  recipient_currency: Currency | null;
  sealed_destination: string | null;
  approval_hash: string | null;
}

export function payoutsInFact(fact: LedgerFact): AcceptedPayout[] {
  const { merchant_id, customer_id, shard } = fact;
  return fact.transactions
    .filter(({ transaction_type }) => transaction_type === 'PAYOUT')
    .map(({ id, transaction_id, network, bank_code, approval_hash = null, ...terms }) => {
      const { currency, amount, recipient_currency, sealed_destination } = terms;
      return {
        ...{ id, transaction_id, merchant_id, customer_id, shard, network, bank_code },
        ...{ currency, amount, recipient_currency, sealed_destination, approval_hash },
      };
    });
}

export function payoutInView(view: TransactionView, shard: number): AcceptedPayout {
  const { id, transaction_id, merchant_id, customer_id, network, bank_code, asset_code: currency } = view;
  const { amount, recipient_currency, sealed_destination, approval_hash = null } = view;
  return {
    ...{ id, transaction_id, merchant_id, customer_id, shard, network, bank_code },
    ...{ currency, amount, recipient_currency, sealed_destination, approval_hash },
  };
}
