import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { TransferFailure, TransferHold, TransferKind, TransferState } from '@stablecoin/contracts/chain/views';
import { Prisma } from '../persistence/generated/client';
import { OutgoingTransfer } from './transfer';

export interface TransferRow {
  id: string;
  reference: string;
  network: EvmNetwork;
  kind: TransferKind;
  from_address: Hex;
  from_index: number | null;
  to_index: number | null;
  to_address: Hex;
  currency: TokenCurrency | null;
  units: string;
  state: TransferState;
  held_by: TransferHold | null;
  failure: TransferFailure | null;
  nonce: bigint | null;
  transaction_hash: Hex | null;
  block_number: bigint | null;
  block_hash: Hex | null;
  fee_wei: string | null;
  cancelled_by: string | null;
  retry_at: Date | null;
  sent_at: Date | null;
  created_at: Date;
  updated_at: Date;
  order_text: string | null;
  order_signature: string | null;
}

/** The columns of a TransferRow: hashes and addresses as hexadecimal text, units and wei as decimal text. */
export const TRANSFER_COLUMNS = Prisma.sql`
  id::text, reference, network, kind, '0x' || encode(from_address, 'hex') AS from_address, from_index, to_index,
  '0x' || encode(to_address, 'hex') AS to_address, currency, units::text, state, held_by, failure, nonce,
  '0x' || encode(transaction_hash, 'hex') AS transaction_hash, block_number,
  '0x' || encode(block_hash, 'hex') AS block_hash, fee_wei::text, cancelled_by, retry_at, sent_at, created_at, updated_at,
  order_text, order_signature`;

const numberOrNull = (value: bigint | null): number | null => (value === null ? null : Number(value));

export const transferOf = (row: TransferRow): OutgoingTransfer => ({
  id: row.id,
  reference: row.reference,
  network: row.network,
  kind: row.kind,
  from: row.from_index === null ? { kind: 'hot' } : { kind: 'deposit', index: row.from_index },
  fromAddress: row.from_address,
  ...(row.to_index !== null && { toIndex: row.to_index }),
  toAddress: row.to_address,
  currency: row.currency,
  units: BigInt(row.units),
  state: row.state,
  heldBy: row.held_by,
  failure: row.failure,
  nonce: numberOrNull(row.nonce),
  transactionHash: row.transaction_hash,
  blockNumber: numberOrNull(row.block_number),
  blockHash: row.block_hash,
  feeWei: row.fee_wei === null ? null : BigInt(row.fee_wei),
  cancelledBy: row.cancelled_by,
  retryAt: row.retry_at,
  sentAt: row.sent_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.order_text !== null &&
    row.order_signature !== null && { signedOrder: { text: row.order_text, signature: row.order_signature } }),
});
