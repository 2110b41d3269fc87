import { DepositEndEvidence, DepositEvidence, SettlementEvidence } from '@stablecoin/command-proofs/evidence';
import { RecordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { ResolvePayout } from '@stablecoin/contracts/wallet/resolve-payout';
import { Plain } from '@stablecoin/contracts/wire/operation';

/** What the sandbox states of the deposits and payouts whose rail it plays; it has neither blocks nor transfers in them. */

export function sandboxDeposit(deposit: Plain<RecordDeposit>): DepositEvidence {
  const {
    merchant_id,
    wallet_id,
    amount,
    network = null,
    crypto_transaction_id = null,
    confirmed,
    command_id,
  } = deposit;
  const seen = { merchant_id, wallet_id, amount, network, crypto_transaction_id, confirmed, command_id };
  return { type: 'deposit', rail: 'sandbox', ...seen, ordinal: null, block_number: null, block_hash: null };
}

export function depositEnd(
  { merchant_id, id, command_id }: Pick<DepositEndEvidence, 'merchant_id' | 'id' | 'command_id'>,
  to: DepositEndEvidence['to'],
): DepositEndEvidence {
  return { type: 'deposit-end', rail: 'sandbox', merchant_id, id, to, command_id };
}

export function settlement(
  { merchant_id, transaction, resolution, rail_reference: reference = null, command_id }: Plain<ResolvePayout>,
  rail: SettlementEvidence['rail'],
): SettlementEvidence {
  return { type: 'settlement', rail, merchant_id, transaction, resolution, reference, command_id };
}
