import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { DepositStanding, UnrecognisedReason } from '@stablecoin/contracts/chain/views';
import { Prisma } from '../persistence/generated/client';
import { Booked, Deposit } from './deposit';

export interface DepositRow {
  id: string;
  network: EvmNetwork;
  transaction_hash: Hex;
  token: Hex;
  ordinal: number;
  round: number;
  from_address: Hex;
  to_address: Hex;
  currency: TokenCurrency | null;
  units: string;
  amount: string | null;
  rest_units: string;
  block_number: bigint;
  block_hash: Hex;
  confirmations_required: number | null;
  standing: DepositStanding;
  booked: Booked;
  unrecognised_reason: UnrecognisedReason | null;
  wallet_id: string;
  merchant_id: string;
  shard: number;
  command_name: string;
  transaction_id: string | null;
  ledger_id: string | null;
  version: number;
  attempts: number;
  seen_at: Date;
}

/** The columns of a DepositRow: hashes and addresses as hexadecimal text, units as decimal text. */
export const DEPOSIT_COLUMNS = Prisma.sql`
  id::text, network, '0x' || encode(transaction_hash, 'hex') AS transaction_hash, '0x' || encode(token, 'hex') AS token,
  ordinal, round, '0x' || encode(from_address, 'hex') AS from_address, '0x' || encode(to_address, 'hex') AS to_address,
  currency, units::text, amount, rest_units::text, block_number, '0x' || encode(block_hash, 'hex') AS block_hash,
  confirmations_required, standing, booked, unrecognised_reason, wallet_id::text, merchant_id::text, shard, command_name,
  transaction_id, ledger_id::text, version, attempts, seen_at`;

export const depositOf = (row: DepositRow): Deposit => ({
  id: row.id,
  network: row.network,
  transactionHash: row.transaction_hash,
  token: row.token,
  ordinal: row.ordinal,
  round: row.round,
  from: row.from_address,
  to: row.to_address,
  currency: row.currency,
  units: BigInt(row.units),
  amount: row.amount,
  restUnits: BigInt(row.rest_units),
  blockNumber: Number(row.block_number),
  blockHash: row.block_hash,
  confirmationsRequired: row.confirmations_required,
  standing: row.standing,
  booked: row.booked,
  unrecognisedReason: row.unrecognised_reason,
  walletId: row.wallet_id,
  merchantId: row.merchant_id,
  shard: row.shard,
});
