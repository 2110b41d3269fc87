import { DryRunTransactionView, PayoutDestination, TransactionView } from '@stablecoin/contracts/wallet/views';
import {
  presentCustomerTransaction,
  presentNewPayout,
  presentPayoutDryRun,
  presentSwapTransaction,
  presentSwapTransactionDryRun,
  presentTransaction,
} from './transaction.presenter';

const at = '2026-01-02T03:04:05.678Z';
const view: TransactionView = {
  id: 't1',
  transaction_id: 'ABCDEF1234',
  reference_id: 'r1',
  merchant_id: 'm1',
  customer_id: 'c1',
  sender_wallet_id: 'w1',
  receiver_wallet_id: null,
  transaction_type: 'PAYOUT',
  transaction_mode: 'DEBIT',
  asset_code: 'USDT',
  amount: '10.00000000',
  fee: null,
  status: 'PENDING',
  balance: '90.00000000',
  exchange_rate: '1500.25',
  amount_fiat: '15002.50000000',
  network: null,
  crypto_transaction_id: null,
  fiat_reference_id: null,
  recipient_currency: 'NGN',
  recipient_country: 'Nigeria',
  bank_name: 'GTBank',
  bank_code: '058',
  reason: null,
  sealed_destination: 'v1.x.y',
  created_at: at,
  updated_at: at,
};
const unrecorded = { id: null, transaction_id: null, reference_id: null, created_at: null, updated_at: null };
const tried: DryRunTransactionView = { ...view, ...unrecorded };
const bank: PayoutDestination = { kind: 'bank', account_number: '0123456789', recipient_name: 'Ada Obi' };
const toWallet: PayoutDestination = { kind: 'wallet', address: '0xabc', recipient_name: null };
const walletView: TransactionView = {
  ...view,
  network: 'erc20',
  recipient_currency: 'USD',
  recipient_country: null,
  bank_name: null,
  bank_code: null,
};

const unseen = { explorer_url: null, confirmations: null, confirmations_required: null };
const beside = (destination: PayoutDestination | null) => ({ destination, ...unseen, waiting_for: null });

const SWAP_FIELDS = [
  'amount',
  'asset_code',
  'balance',
  'created_at',
  'crypto_transaction_id',
  'customer_id',
  'exchange_rate',
  'fee',
  'id',
  'network',
  'reason',
  'receiver_wallet_id',
  'reference_id',
  'sender_wallet_id',
  'status',
  'transaction_id',
  'transaction_mode',
  'transaction_type',
  'updated_at',
  'withdrawal_recipient_name',
];
const PAYEE_FIELDS = ['address', 'bank_account', 'bank_code', 'bank_name', 'recipient_country', 'recipient_currency'];
const CHAIN_FIELDS = Object.keys(unseen);
const WAITING_FIELDS = [
  ...['waiting_for', 'send_after', 'approval_hash', 'approvals_required', 'approvals', 'approval_expires_at'],
];
const PAID_FIELDS = [...SWAP_FIELDS, ...PAYEE_FIELDS, ...WAITING_FIELDS];
const FULL_FIELDS = [...PAID_FIELDS, ...CHAIN_FIELDS];
const fieldsOf = (printed: object) => Object.keys(printed).sort();

describe('transaction presenter', () => {
  it.each([
    ['a look-up', presentTransaction(view, beside(bank)), FULL_FIELDS],
    ['the listing by customer', presentCustomerTransaction(view, beside(bank)), [...FULL_FIELDS, 'merchant_id']],
    ['a new payout', presentNewPayout(view, bank), [...PAID_FIELDS, 'amount_fiat', 'fiat_reference_id']],
    ['a swap', presentSwapTransaction(view), SWAP_FIELDS],
    ['a dry run of a swap', presentSwapTransactionDryRun(tried), SWAP_FIELDS],
    [
      'a dry run of a payout',
      presentPayoutDryRun(tried, bank),
      [...PAID_FIELDS, 'amount_fiat', 'fiat_reference_id', 'dry_run'],
    ],
  ])('prints exactly the fields of %s', (_name, printed, fields) => {
    expect(fieldsOf(printed)).toEqual([...fields].sort());
  });

  it('prints of a dry run what it prints of the payout, and null for what is not recorded', () => {
    const printed = { ...presentNewPayout(view, bank), ...unrecorded, dry_run: true };
    expect(presentPayoutDryRun(tried, bank)).toEqual(printed);
    expect(presentSwapTransactionDryRun(tried)).toEqual({ ...presentSwapTransaction(view), ...unrecorded });
  });

  it('names the bank account of a bank payout', () => {
    expect(presentTransaction(view, beside(bank))).toMatchObject({
      withdrawal_recipient_name: 'Ada Obi',
      reason: 'Payout to 0123456789 (058)',
      recipient_currency: 'NGN',
      recipient_country: 'Nigeria',
      bank_name: 'GTBank',
      bank_code: '058',
      bank_account: '0123456789',
      address: null,
    });
  });

  it('names the address of a wallet payout, and nothing of a bank', () => {
    expect(presentTransaction(walletView, beside(toWallet))).toMatchObject({
      withdrawal_recipient_name: null,
      reason: 'Payout to 0xabc',
      recipient_currency: null,
      bank_account: null,
      bank_code: null,
      address: '0xabc',
      network: 'erc20',
    });
  });

  it('says that a payout is screened where the ledger makes it wait for nothing', () => {
    const screened = { ...beside(bank), waiting_for: 'screening' as const };
    expect(presentTransaction(view, screened).waiting_for).toBe('screening');
    expect(presentTransaction({ ...view, waiting_for: 'approval' }, screened).waiting_for).toBe('approval');
  });

  it('shows nothing of a destination that can no longer be read', () => {
    expect(presentTransaction({ ...view, reason: 'Payout' }, beside(null))).toMatchObject({
      withdrawal_recipient_name: null,
      reason: 'Payout',
      bank_name: null,
      recipient_country: null,
      bank_account: null,
      address: null,
    });
  });
});
