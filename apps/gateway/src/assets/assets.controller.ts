import { Controller, Get } from '@nestjs/common';
import { ListAssetCodes, listAssetCodes } from '@stablecoin/contracts/wallet/list-asset-codes';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { success, successOf } from '@stablecoin/http-answers/envelope';
import { FromQuery } from '../routes/input';
import { listOf } from '@stablecoin/http-answers/response-schema';
import { Route } from '../routes/route';
import { ASSET_CODE, presentAssetCode } from './asset-code.presenter';

@Controller('asset-codes')
export class AssetsController {
  constructor(private readonly bus: BusClient) {}

  @Get()
  @Route({
    operationId: 'listAssetCodes',
    summary: 'List the supported assets',
    answer: 'Asset codes',
    responds: successOf(listOf(ASSET_CODE)),
  })
  async list(@FromQuery(ListAssetCodes) query: Plain<ListAssetCodes>) {
    const assets = await this.bus.call(listAssetCodes, query);
    return success(assets.map(presentAssetCode));
  }
}
