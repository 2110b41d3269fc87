import { MadeQuoteView, SwapQuoteView } from '@stablecoin/contracts/swap/views';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { Prisma } from '../persistence/generated/client';

/** A quote as it is read from the table: amounts and price as the texts that responses print. */
export interface QuoteRow {
  id: string;
  merchant_id: string;
  customer_id: string | null;
  from_currency: Currency;
  to_currency: Currency;
  from_amount: string;
  to_amount: string;
  quoted_price: string;
  state: 'open' | 'claimed' | 'used';
  claim_command_id: string | null;
  claim_input_hash: string | null;
  claim_shard: number | null;
  claim_request_proof: string | null;
  claim_attempt: number;
  /** Whether an instance may still be executing it. */
  running: boolean;
  expired: boolean;
  /** Over the terms, see terms-mac.ts. */
  terms_mac: string | null;
  /** While services of the version before may be at work. */
  may_lack_mac: boolean;
  expires_at: Date;
  created_at: Date;
  updated_at: Date;
}

export const QUOTE_COLUMNS = Prisma.sql`
  id, merchant_id, customer_id, from_currency, to_currency,
  from_amount::text AS from_amount, to_amount::text AS to_amount, trim_scale(quoted_price)::text AS quoted_price,
  state, claim_command_id, claim_input_hash, claim_shard, claim_request_proof, claim_attempt,
  coalesce(running_until > clock_timestamp(), false) AS running,
  expires_at <= clock_timestamp() AS expired, terms_mac,
  coalesce((SELECT taken_until > clock_timestamp() FROM quotes_without_mac), false) AS may_lack_mac,
  expires_at, created_at, updated_at`;

const ISO_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/** The view of an open quote whose columns have been selected as `QUOTE_COLUMNS`, as `quoteView` makes it, in SQL. */
export const QUOTE_VIEW = Prisma.sql`
  jsonb_build_object(
    'id', id, 'customer_id', customer_id, 'from_currency', from_currency, 'to_currency', to_currency,
    'quoted_price', quoted_price, 'quoted_currency', to_currency, 'from_amount', from_amount, 'to_amount', to_amount,
    'confirmed', false,
    'expires_at', to_char(expires_at AT TIME ZONE 'UTC', ${ISO_FORMAT}),
    'created_at', to_char(created_at AT TIME ZONE 'UTC', ${ISO_FORMAT}),
    'updated_at', to_char(updated_at AT TIME ZONE 'UTC', ${ISO_FORMAT}))`;

export function quoteView(row: QuoteRow): SwapQuoteView {
  return {
    id: row.id,
    customer_id: row.customer_id,
    from_currency: row.from_currency,
    to_currency: row.to_currency,
    quoted_price: row.quoted_price,
    quoted_currency: row.to_currency,
    from_amount: row.from_amount,
    to_amount: row.to_amount,
    confirmed: row.state === 'used',
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function madeQuoteView(row: QuoteRow, { sealed_profile }: { sealed_profile?: string }): MadeQuoteView {
  return { ...quoteView(row), ...(sealed_profile !== undefined && { sealed_profile }) };
}

/** Whether a request names the currencies and the amount of the quote. Amounts are compared by value: 10 is 10.00. */
export function isSameExchange(
  quote: QuoteRow,
  asked: { from_currency: Currency; to_currency: Currency; amount: string },
): boolean {
  const { from_currency: from, to_currency: to, from_amount } = quote;
  if (from !== asked.from_currency || to !== asked.to_currency) return false;
  return Money.parse(from, from_amount).equals(Money.parse(from, asked.amount));
}
