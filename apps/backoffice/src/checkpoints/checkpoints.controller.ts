import { Controller, Get } from '@nestjs/common';
import { listCheckpoints } from '@stablecoin/contracts/wallet/list-checkpoints';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { paginationOf, success } from '@stablecoin/http-answers/envelope';
import { ListCheckpointsQuery } from '@stablecoin/merchant-resources/audit/audit-requests';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery } from '../reads/from-query';
import { ForMembersOfMerchants } from '../sessions/session.guard';

/** What has been signed of the log, with the public keys: for checking a proof in the browser. */
@Controller('checkpoints')
export class CheckpointsController {
  constructor(private readonly bus: BusClient) {}

  @Get()
  @ForMembersOfMerchants()
  async list(
    @FromMerchant() { merchant_id, shard }: AskingMerchant,
    @FromQuery(ListCheckpointsQuery) query: Plain<ListCheckpointsQuery>,
  ) {
    const page = await this.bus.call(listCheckpoints, { ...query, merchant_id, shard });
    return { ...success(page.items), pagination: paginationOf(page) };
  }
}
