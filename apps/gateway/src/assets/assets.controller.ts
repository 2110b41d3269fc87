import { Controller, Get } from '@nestjs/common';
import { ListAssetCodes, listAssetCodes } from '@stablecoin/contracts/wallet/list-asset-codes';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { success } from '../http/envelope';
import { FromQuery } from '../http/input';
import { Route } from '../http/route';
import { presentAssetCode } from './asset-code.presenter';

@Controller('asset-codes')
export class AssetsController {
  constructor(private readonly bus: BusClient) {}

  @Get()
  @Route({ summary: 'List the supported assets', answer: 'Asset codes' })
  async list(@FromQuery(ListAssetCodes) query: ListAssetCodes) {
    const assets = await this.bus.call(listAssetCodes, query);
    return success(assets.map(presentAssetCode));
  }
}
