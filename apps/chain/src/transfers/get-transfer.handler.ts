import { Hex } from '@stablecoin/chain-node/chain-node';
import {
  GetTransfer,
  getTransfer,
  TransferAttemptView,
  WholeTransferView,
} from '@stablecoin/contracts/chain/get-transfer';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { ChainDatabase } from '../persistence/chain-database';
import { TransferStore } from './transfer-store';
import { TransferViews } from './transfer-views';

interface AttemptRow {
  number: number;
  cancels: boolean;
  gas: bigint;
  max_fee_per_gas: string;
  max_priority_fee_per_gas: string;
  hash: Hex | null;
  refused: string | null;
  created_at: Date;
  broadcast_at: Date | null;
}

interface CancellationRow {
  cancel_reason: string | null;
  cancelled_at: Date | null;
}

/** For operators: what look-up-transfer says, and all that was done for it. */
@Handles(getTransfer)
export class GetTransferHandler {
  constructor(
    private readonly database: ChainDatabase,
    private readonly store: TransferStore,
    private readonly views: TransferViews,
  ) {}

  execute({ reference }: GetTransfer): Promise<WholeTransferView> {
    return asRefusal(async () => {
      const transfer = await this.store.find(reference);
      if (!transfer) throw new Refusal('not_found');
      const [view, attempts, [cancellation]] = await Promise.all([
        this.views.ofOne(transfer),
        this.attempts(transfer.id),
        this.database.$queryRaw<CancellationRow[]>`
          SELECT cancel_reason, cancelled_at FROM outgoing_transfers WHERE id = ${transfer.id}::uuid`,
      ]);
      return {
        ...view,
        deposit_address_index: transfer.from.kind === 'deposit' ? transfer.from.index : (transfer.toIndex ?? null),
        cancel_reason: cancellation?.cancel_reason ?? null,
        cancelled_at: cancellation?.cancelled_at?.toISOString() ?? null,
        sent_at: transfer.sentAt?.toISOString() ?? null,
        attempts,
      };
    });
  }

  private async attempts(id: string): Promise<TransferAttemptView[]> {
    const rows = await this.database.$queryRaw<AttemptRow[]>`
      SELECT number, cancels, gas, max_fee_per_gas::text, max_priority_fee_per_gas::text,
        '0x' || encode(hash, 'hex') AS hash, refused, created_at, broadcast_at
      FROM transfer_attempts WHERE transfer_id = ${id}::uuid ORDER BY number`;
    return rows.map(({ gas, hash, created_at, broadcast_at, ...row }) => ({
      ...row,
      gas: Number(gas),
      transaction_hash: hash,
      created_at: created_at.toISOString(),
      broadcast_at: broadcast_at?.toISOString() ?? null,
    }));
  }
}
