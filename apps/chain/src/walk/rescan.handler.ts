import { Rescan, rescan } from '@stablecoin/contracts/chain/rescan';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import { Network } from '@stablecoin/money/currency';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { WalkStore } from './walk-store';

@Handles(rescan)
export class RescanHandler {
  constructor(private readonly store: WalkStore) {}

  async execute({ network, from_block }: Rescan): Promise<{ network: Network; from_block: number }> {
    const isAsked = isEvmNetwork(network) && (await asRefusal(() => this.store.askForRescan(network, from_block)));
    if (!isAsked) throw new Refusal('not_found');
    return { network, from_block };
  }
}
