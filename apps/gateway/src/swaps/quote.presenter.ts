import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { SwapQuoteView } from '@stablecoin/contracts/swap/views';

export function presentQuote(view: SwapQuoteView, owner: Owner) {
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

function presentUser({ owner_id, profile }: Owner) {
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
