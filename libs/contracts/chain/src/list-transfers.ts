import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsLimit, IsPage, type Page } from '@stablecoin/contracts/wire/fields/paging';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TRANSFER_STATES, type TransferState, type TransferView } from './views';

/** The newest first. */
export class ListTransfers {
  @Optional() @IsOneOf(EVM_NETWORKS, 'unsupported_network') network?: EvmNetwork;
  @Optional() @IsOneOf(TRANSFER_STATES) state?: TransferState;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export const listTransfers = operation({
  subject: 'chain.list-transfers',
  readOnly: true,
  request: ListTransfers,
  reply: replies<Page<TransferView>>(),
  errors: [],
});
