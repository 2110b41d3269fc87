import { Logger } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { ResumeLane, resumeLane } from '@stablecoin/contracts/chain/resume-lane';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LaneStore } from './lane-store';
import { Sender } from './sender';

@Handles(resumeLane)
export class ResumeLaneHandler {
  private readonly log = new Logger(ResumeLaneHandler.name);

  constructor(
    private readonly store: LaneStore,
    private readonly sender: Sender,
  ) {}

  async execute({ network, address, actor, reason }: ResumeLane): Promise<{ network: EvmNetwork; address: string }> {
    const lane = { network, fromAddress: address.toLowerCase() as Hex };
    if (!(await asRefusal(() => this.store.resume(lane, actor, reason)))) throw new Refusal('not_found');
    this.log.warn({ msg: 'a lane goes on', network, address, actor, reason });
    this.sender.wake(network);
    return { network, address };
  }
}
