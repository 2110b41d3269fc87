import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { SwapQuoteView } from '@stablecoin/contracts/swap/views';
import {
  amount,
  currency,
  flag,
  matching,
  nullable,
  price,
  ResponseOf,
  resource,
  text,
  timestamp,
  uuid,
} from '@stablecoin/http-answers/response-schema';

const QUOTE_OWNER = resource('QuoteOwner', {
  id: uuid,
  sn: matching(/^[A-Z0-9]{10}$/, '4XM8T2K9QD'),
  email: text,
  reference: nullable(text),
  first_name: text,
  last_name: text,
  display_name: nullable(text),
  created_at: timestamp,
  updated_at: timestamp,
});

export const SWAP_QUOTE = resource('SwapQuote', {
  id: uuid,
  from_currency: currency,
  to_currency: currency,
  quoted_price: price,
  quoted_currency: currency,
  from_amount: amount,
  to_amount: amount,
  confirmed: flag,
  expires_at: timestamp,
  created_at: timestamp,
  updated_at: timestamp,
  user: QUOTE_OWNER,
});

export function presentQuote(view: SwapQuoteView, owner: Owner): ResponseOf<typeof SWAP_QUOTE> {
  return {
    id: view.id,
    from_currency: view.from_currency,
    to_currency: view.to_currency,
    quoted_price: view.quoted_price,
    quoted_currency: view.quoted_currency,
    from_amount: view.from_amount,
    to_amount: view.to_amount,
    confirmed: view.confirmed,
    expires_at: view.expires_at,
    created_at: view.created_at,
    updated_at: view.updated_at,
    user: presentUser(owner),
  };
}

function presentUser({ owner_id, profile }: Owner): ResponseOf<typeof QUOTE_OWNER> {
  return {
    id: owner_id,
    sn: profile.sn,
    email: profile.email,
    reference: profile.reference,
    first_name: profile.first_name,
    last_name: profile.last_name,
    display_name: profile.display_name,
    created_at: profile.created_at,
    updated_at: profile.updated_at,
  };
}
