import { GetDeposit, getDeposit } from '@stablecoin/contracts/chain/get-deposit';
import { ChainDepositView } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { ChainDatabase } from '../persistence/chain-database';
import { DEPOSIT_COLUMNS, DepositRow } from './deposit-rows';

@Handles(getDeposit)
export class GetDepositHandler {
  constructor(private readonly database: ChainDatabase) {}

  async execute({ merchant_id, transaction_id }: GetDeposit): Promise<ChainDepositView> {
    const [row] = await asRefusal(
      () => this.database.$queryRaw<(DepositRow & { tip_number: bigint })[]>`
        SELECT ${DEPOSIT_COLUMNS}, (SELECT tip_number FROM walks WHERE walks.network = deposits.network) AS tip_number
        FROM deposits WHERE transaction_id = ${transaction_id} AND merchant_id = ${merchant_id}::uuid`,
    );
    if (!row) throw new Refusal('not_found');
    const { network, transaction_hash, standing, confirmations_required } = row;
    const isOnChain = standing === 'included' || standing === 'final';
    const confirmations = isOnChain ? Math.max(1, Number(row.tip_number - row.block_number) + 1) : 0;
    const block_number = Number(row.block_number);
    return { network, transaction_hash, block_number, standing, confirmations, confirmations_required };
  }
}
