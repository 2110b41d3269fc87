/** Commands to the ledger with what a service states of the world outside, as a service makes them that was taken over. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { SignedText } from '@stablecoin/command-proofs/command-mac';
import { depositCommandName } from '@stablecoin/command-proofs/deposit-name';
import type {
  DepositEvidence,
  Evidence,
  PolicyEvidence,
  EvidenceRail,
  QuoteEvidence,
  SettlementEvidence,
} from '@stablecoin/command-proofs/evidence';
import { policyOf } from '@stablecoin/contracts/wallet/policy-terms';
import { postSwapCommandName } from '@stablecoin/contracts/wallet/post-swap';
import { canonicalText } from '@stablecoin/event-chain/canonical-text';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import type { Currency } from '@stablecoin/money/currency';
import type { Person } from '../ground/people';

const INPUT_HASH = '0'.repeat(64);
const LATER = '2999-01-01T00:00:00.000Z';

/** The whole of a forger's dream. */
export const DREAM = { from_amount: '0.01', to_amount: '1000000000', price: '100000000000' };

interface SwapTerms {
  from_currency?: Currency;
  to_currency?: Currency;
  from_amount: string;
  to_amount: string;
  price: string;
  swap_id?: string;
}

/** @param of whose wallets, and by which merchant */
export function forgedSwap(of: Pick<Person, 'merchantId' | 'customerId'>, terms: SwapTerms) {
  const { from_currency = 'USDT', to_currency = 'NGN', swap_id = randomUUID(), price, ...amounts } = terms;
  const owner = { merchant_id: of.merchantId, customer_id: of.customerId };
  const stated = { ...owner, swap_id, from_currency, to_currency, ...amounts, valid_until: LATER };
  const evidence: QuoteEvidence = { type: 'quote', rates: 'static', price, ...stated };
  const { command_id } = derivedCommand(postSwapCommandName(swap_id), {});
  return { body: { ...stated, quoted_price: price, command_id, input_hash: INPUT_HASH }, evidence };
}

interface Transfer {
  network: 'trc20' | null;
  crypto_transaction_id: string | null;
}

/** In the place of what a chain says of a transfer. */
export const NO_TRANSFER: Transfer = { network: null, crypto_transaction_id: null };

export const inventedTransfer = (): Transfer => ({
  network: 'trc20',
  crypto_transaction_id: `0x${randomBytes(32).toString('hex')}`,
});

/** The id of the command by which the payout service will say that a payout has arrived. */
export const endOfPayout = (payoutId: string): string =>
  derivedCommand(`resolve-payout:${payoutId}:COMPLETED`, {}).command_id;

/** @param by the transfer of a chain; another one for each deposit, since the ledger takes each once */
export function forgedDeposit(
  of: Pick<Person, 'merchantId' | 'walletId'>,
  rail: EvidenceRail,
  by: Transfer = rail === 'chain' ? inventedTransfer() : NO_TRANSFER,
) {
  const deposit_name = `deposit:1:${by.crypto_transaction_id}:0x${randomBytes(20).toString('hex')}:0:0`;
  const { command_id: derived } = derivedCommand(depositCommandName('record', deposit_name), {});
  const about = {
    ...{ merchant_id: of.merchantId, wallet_id: of.walletId, amount: '1000000', confirmed: true },
    command_id: rail === 'chain' ? derived : randomUUID(),
  };
  const seen =
    rail === 'chain'
      ? { ordinal: 0, block_number: 7, block_hash: '0xb', deposit_name }
      : { ordinal: null, block_number: null, block_hash: null };
  const evidence: DepositEvidence = { type: 'deposit', rail, ...about, ...seen, ...by };
  return { body: { ...about, ...by, input_hash: INPUT_HASH }, evidence };
}

export function forgedSettlement(
  { merchantId: merchant_id, payoutId: transaction }: Pick<Person, 'merchantId' | 'payoutId'>,
  resolution: SettlementEvidence['resolution'],
) {
  const about = { merchant_id, transaction, resolution, command_id: randomUUID() };
  const evidence: SettlementEvidence = { type: 'settlement', rail: 'sandbox', reference: 'forged', ...about };
  return { body: { ...about, rail_reference: 'forged', input_hash: INPUT_HASH }, evidence };
}

/** As much as he likes, of everything that he has. */
export const NO_LIMITS = {
  limits: [{ currency: 'USDT' as const, per: 'merchant' as const, within: 'day' as const, amount: '1000000000' }],
  new_destination_wait_seconds: 0,
};

export function forgedPolicy({ merchantId: merchant_id }: Pick<Person, 'merchantId'>) {
  const about = { merchant_id, command_id: randomUUID(), changed_by: 'trent', reason: 'forged' };
  const policy = canonicalText(policyOf(NO_LIMITS));
  const now = { policy_version: 1, stated_at: new Date().toISOString() };
  const evidence: PolicyEvidence = { type: 'policy', ...about, policy, ...now };
  return { body: { ...about, policy: NO_LIMITS, input_hash: INPUT_HASH }, evidence };
}

export const forgedHold = ({ merchantId, customerId }: Pick<Person, 'merchantId' | 'customerId'>) => ({
  ...{ merchant_id: merchantId, customer_id: customerId, command_id: randomUUID(), input_hash: INPUT_HASH },
  ...{ currency: 'USDT' as const, amount: '5', rail: 'bank' as const, sealed_destination: 'v1.forged' },
  ...{ recipient_currency: 'NGN' as const, exchange_rate: '1500' },
});

const EVE = `0x${'ee'.repeat(20)}`;
let nonce = 0;

/** What the chain service asks the signer for: a payment of 1,000 USDT, by default to the forger. @param order what payout has ordered */
export function forgedTransfer({ to = EVE, units = '1000000000' } = {}, order?: SignedOrder) {
  return {
    ...{ network: 'erc20' as const, from: { kind: 'hot' as const }, nonce: (nonce += 1), gas: 65_000 },
    ...{ max_fee_per_gas: '20000000000', max_priority_fee_per_gas: '1000000000' },
    movement: { kind: 'payout' as const, currency: 'USDT' as const, to, units, ...order },
  };
}

interface SignedOrder {
  reference: string;
  order: string;
  order_signature: string;
}

/** 1 USDT to an accomplice, as the payout service orders it. */
export const ACCOMPLICE = `0x${'ac'.repeat(20)}`;
export const ordered = (
  { signed }: { signed: (evidence: Evidence) => SignedText },
  reference: string = randomUUID(),
): SignedOrder => {
  const terms = { reference, network: 'erc20', currency: 'USDT', to: ACCOMPLICE, amount: '1' };
  const { text, signature } = signed({ type: 'transfer-order', ...terms });
  return { reference, order: text, order_signature: signature };
};
