/** What the back office shows before a passkey signs it. */
import type { Order } from '@stablecoin/command-proofs/order';
import { orderHash } from '@stablecoin/command-proofs/order-signature';
import type { Schema } from '../api/client';
import { MERCHANT_ID, SESSION, WALLET_ID } from './stub-content';

const ORDERED = {
  ...{ merchant_id: MERCHANT_ID, customer_id: null, mode: 'test' as const },
  ...{ key_id: SESSION.member_id, signer_id: SESSION.person.person_id },
  command_id: '0190c6f0-0000-7c1e-9d2a-0000000000f1',
};
const later = (ms: number) => new Date(Date.now() + ms).toISOString();

export function offered<Ordered extends Order>(terms: Ordered) {
  const hash = orderHash(terms);
  const options = { challenge: hash.toString('base64url'), rpId: 'localhost', userVerification: 'required' };
  return {
    order: `v1.sealed.${terms.type}`,
    hash: hash.toString('hex'),
    terms,
    options: { ...options, allowCredentials: [] },
  };
}

const UNRECORDED = { id: null, transaction_id: null, reference_id: null, created_at: null, updated_at: null } as const;
const MOVEMENT = {
  ...{ sender_wallet_id: WALLET_ID, receiver_wallet_id: null, status: 'PENDING' as const, crypto_transaction_id: null },
  ...{ withdrawal_recipient_name: null, fee: null, reason: null, customer_id: null, exchange_rate: '1489.55' },
};

/** @param body as the page asks */
export function offeredPayout(body: Record<string, unknown>, { waits = false, ms = 180_000 } = {}) {
  const [amount, address] = [`${String(body['amount'])}.00000000`, body['address'] as string | undefined];
  const network = (body['network'] as 'erc20' | undefined) ?? null;
  const recipient = { withdrawal_recipient_name: String(body['recipient_name']) };
  const bank = {
    ...{ bank_name: 'First Bank of Nigeria', bank_code: '011', bank_account: String(body['account_number']) },
    ...{ recipient_currency: 'NGN' as const, recipient_country: 'Nigeria' },
  } as const;
  const none = {
    bank_name: null,
    bank_code: null,
    bank_account: null,
    recipient_currency: null,
    recipient_country: null,
  };
  const waiting = { approvals_required: 1, approvals: [], approval_expires_at: later(3_600_000) };
  const preview: Schema<'PayoutDryRun'> = {
    ...{ dry_run: true, ...UNRECORDED, ...MOVEMENT, asset_code: 'USDC', amount, fee: '0.50000000', network },
    ...{ transaction_type: 'PAYOUT', transaction_mode: 'DEBIT', balance: '1149.50000000', ...recipient },
    ...{ ...(address === undefined ? bank : none), address: address ?? null },
    ...{ amount_fiat: '148955.00000000', fiat_reference_id: null, send_after: null, approval_hash: null },
    ...{ waiting_for: waits ? 'approval' : null, approvals_required: null, approvals: null, approval_expires_at: null },
    ...(waits && waiting),
  };
  return {
    preview,
    ...offered({
      ...{ type: 'payout-order', ...ORDERED, valid_until: later(ms), currency: 'USDC', amount, fee: '0.50000000' },
      ...{ exchange_rate: '1489.55', recipient_currency: preview.recipient_currency, network },
      ...{ bank_code: preview.bank_code, sealed_destination: 'h1.sealed', destination_hash: 'ab'.repeat(32) },
    }),
  };
}

export function offeredSwap(body: Record<string, unknown>, ms = 30_000) {
  const [from_amount, to_amount] = [`${String(body['amount'])}.00000000`, '59582.00000000'];
  const swapped = { ...UNRECORDED, ...MOVEMENT, network: null, transaction_type: 'INTERNAL TRANSFER' } as const;
  const preview: Schema<'OfferedSwap'>['preview'] = {
    debit: { ...swapped, transaction_mode: 'DEBIT', asset_code: 'USDC', amount: from_amount, balance: '1210.00000000' },
    credit: { ...swapped, transaction_mode: 'CREDIT', asset_code: 'NGN', amount: to_amount, balance: '63832.50000000' },
  };
  return {
    preview,
    ...offered({
      ...{ type: 'swap-order', ...ORDERED, valid_until: later(ms), swap_id: '0190c6f0-0000-7c1e-9d2a-0000000000f2' },
      ...{ from_currency: 'USDC', to_currency: 'NGN', from_amount, to_amount, price: '1489.55' },
    }),
  };
}
