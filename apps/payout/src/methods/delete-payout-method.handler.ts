import { DeletePayoutMethod, deletePayoutMethod } from '@stablecoin/contracts/payout/delete-payout-method';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { takeEffectOnce } from '@stablecoin/persistence/command-log';
import { PayoutDatabase } from '../persistence/payout-database';

interface DeletedMethod {
  customer_id: string | null;
}

@Handles(deletePayoutMethod)
export class DeletePayoutMethodHandler {
  constructor(private readonly database: PayoutDatabase) {}

  async execute(command: DeletePayoutMethod): Promise<CommandReply<DeletedMethod>> {
    return takeEffectOnce(this.database.sql, command, async (transaction) => {
      const [deleted] = await transaction.$queryRaw<DeletedMethod[]>`
        DELETE FROM payout_methods
        WHERE id = ${command.payout_method_id}::uuid AND merchant_id = ${command.merchant_id}::uuid
          AND customer_id IS NOT DISTINCT FROM ${command.customer_id ?? null}::uuid
        RETURNING customer_id`;
      if (!deleted) throw new Refusal('not_found');
      return deleted;
    });
  }
}
