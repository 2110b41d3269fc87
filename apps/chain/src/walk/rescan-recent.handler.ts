import { isEvmNetwork } from '@stablecoin/chains/chains';
import { RECENT_BLOCKS_MAX, RescanRecent, rescanRecent } from '@stablecoin/contracts/chain/rescan-recent';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Network } from '@stablecoin/money/currency';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { WalkStore } from './walk-store';

@Handles(rescanRecent)
export class RescanRecentHandler {
  constructor(private readonly store: WalkStore) {}

  async execute({ network, from_block }: RescanRecent): Promise<{ network: Network; from_block: number }> {
    if (!isEvmNetwork(network)) throw notWalked();
    const tip = await asRefusal(() => this.store.tipNumber(network));
    if (tip === undefined) throw notWalked();
    const oldest = Math.max(0, tip - RECENT_BLOCKS_MAX);
    if (from_block > tip)
      throw Refusal.ofField('from_block', 'beyond_tip', `must not be after ${tip}, the newest block that was walked`);
    if (from_block < oldest)
      throw Refusal.ofField(
        'from_block',
        'too_long_ago',
        `must be ${oldest} or later: blocks before take the operators’ command, chain rescan`,
      );
    await asRefusal(() => this.store.askForRescan(network, from_block));
    return { network, from_block };
  }
}

const notWalked = () =>
  Refusal.ofField('network', 'not_walked', 'is not walked: the chain service has no node of it, or has not begun');
