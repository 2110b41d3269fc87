import { Injectable } from '@nestjs/common';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { ChainDatabase } from '../persistence/chain-database';
import { OutgoingTransfer } from './transfer';
import { TRANSFER_COLUMNS, transferOf, TransferRow } from './transfer-rows';

/** Transfers as other services see them. */
@Injectable()
export class TransferViews {
  constructor(private readonly database: ChainDatabase) {}

  /** In one question, because the payout service asks it of each payout until it ends. */
  async find(reference: string): Promise<TransferView | undefined> {
    const [row] = await this.database.$queryRaw<(TransferRow & { tip_number: bigint | null })[]>`
      SELECT ${TRANSFER_COLUMNS},
        (SELECT tip_number FROM walks WHERE walks.network = outgoing_transfers.network) AS tip_number
      FROM outgoing_transfers WHERE reference = ${reference}`;
    return row && viewOf(transferOf(row), row.tip_number === null ? undefined : Number(row.tip_number));
  }

  async of(transfers: readonly OutgoingTransfer[]): Promise<TransferView[]> {
    // Most are asked about before they are in a block.
    const isCounted = transfers.some(({ blockNumber }) => blockNumber !== null);
    const tips = isCounted ? await this.tips() : new Map<EvmNetwork, number>();
    return transfers.map((transfer) => viewOf(transfer, tips.get(transfer.network)));
  }

  async ofOne(transfer: OutgoingTransfer): Promise<TransferView> {
    const [view] = await this.of([transfer]);
    if (!view) throw new Error(`there is no view of ${transfer.reference}`);
    return view;
  }

  private async tips(): Promise<Map<EvmNetwork, number>> {
    const tips = await this.database.$queryRaw<{ network: EvmNetwork; tip_number: bigint }[]>`
      SELECT network, tip_number FROM walks`;
    return new Map(tips.map(({ network, tip_number }) => [network, Number(tip_number)]));
  }
}

/** @param tip the newest block that is walked; the transfer's own may be newer */
function viewOf(transfer: OutgoingTransfer, tip: number | undefined): TransferView {
  const { reference, kind, network, currency, state, failure, nonce, blockNumber, feeWei } = transfer;
  return {
    ...{ reference, kind, network, currency, state, failure, nonce },
    from_address: transfer.fromAddress,
    to_address: transfer.toAddress,
    units: transfer.units.toString(),
    held_by: transfer.heldBy,
    transaction_hash: transfer.transactionHash,
    block_number: blockNumber,
    confirmations: blockNumber === null ? 0 : Math.max(1, (tip ?? blockNumber) - blockNumber + 1),
    fee_wei: feeWei === null ? null : feeWei.toString(),
    cancelled_by: transfer.cancelledBy,
    created_at: transfer.createdAt.toISOString(),
    updated_at: transfer.updatedAt.toISOString(),
  };
}
