import { createHash } from 'node:crypto';
import { canonicalText } from './canonical-text';

/** What a rail is going to send: every field from which its order is made. */
export interface PayoutContent {
  id: string;
  merchant_id: string;
  customer_id: string | null;
  currency: string;
  amount: string;
  network: string | null;
  bank_code: string | null;
  recipient_currency: string | null;
  sealed_destination: string | null;
}

const DOMAIN = 'stablecoin-payout-content/1\n';

/** The hash that an approver approves: SHA-256 over a domain line and the canonical text of what is going to be sent. */
export function payoutContentHash(payout: PayoutContent): string {
  const { id, merchant_id, customer_id, currency, amount } = payout;
  const { network, bank_code, recipient_currency, sealed_destination } = payout;
  const content = { id, merchant_id, customer_id, currency, amount };
  const destination = { network, bank_code, recipient_currency, sealed_destination };
  return createHash('sha256')
    .update(DOMAIN)
    .update(canonicalText({ ...content, ...destination }))
    .digest('hex');
}
