import { Controller, Get, Param, Post } from '@nestjs/common';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { pageOf, success, successOf, successPage } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { FromBody, FromQuery } from '../routes/input';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import { ListWalletsQuery } from '@stablecoin/merchant-resources/wallets/wallet-requests';
import { OpenWalletBody } from './wallet-requests';
import { WalletDescriptions } from '@stablecoin/merchant-resources/wallets/wallet-descriptions';
import {
  OPENED_WALLET,
  presentOpenedWallet,
  presentWallet,
  WALLET,
} from '@stablecoin/merchant-resources/wallets/wallet.presenter';

@Controller('wallets')
export class WalletsController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
    private readonly descriptions: WalletDescriptions,
  ) {}

  @Post()
  @Route({
    operationId: 'openWallet',
    summary: 'Create a wallet, or add a deposit address on a further network to the one that exists',
    answer: 'The wallet',
    bodies: {
      'Your own USDT, deposited on Tron': { currency: 'USDT', network: 'trc20' },
      'Your own naira': { currency: 'NGN' },
    },
    responds: successOf(OPENED_WALLET),
    errors: [...openWallet.errors, 'not_found'],
  })
  async open(
    @FromCaller() caller: Caller,
    @FromBody(OpenWalletBody) body: Plain<OpenWalletBody>,
    @FromCommand() command: Command,
  ) {
    const description = await this.descriptions.seal(command, body);
    const reply = await this.bus.call(openWallet, { ...body, description, ...command.ids }, { shard: caller.shard });
    return success(presentOpenedWallet(await this.descriptions.open(command.resultOf(reply))));
  }

  @Get()
  @Route({
    operationId: 'listWallets',
    summary: 'List the wallets of the merchant, or of one customer',
    answer: 'Wallets, newest first',
    responds: pageOf(WALLET),
    errors: ['not_found'],
  })
  async list(
    @FromCaller() { merchant_id, shard }: Caller,
    @FromQuery(ListWalletsQuery) query: Plain<ListWalletsQuery>,
  ) {
    if (query.customer_id) await this.owners.find(merchant_id, query.customer_id);
    const page = await this.bus.call(listWallets, { ...query, merchant_id }, { shard });
    return successPage({ ...page, items: await this.descriptions.openAll(page.items) }, presentWallet);
  }

  @Get(':wallet_id')
  @Route({
    operationId: 'getWallet',
    summary: 'Get one wallet',
    answer: 'The wallet',
    responds: successOf(WALLET),
    errors: getWallet.errors,
  })
  async get(@FromCaller() { merchant_id, shard }: Caller, @Param('wallet_id') id: string) {
    const wallet = await this.bus.call(getWallet, { merchant_id, wallet_id: pathUuid(id) }, { shard });
    return success(presentWallet(await this.descriptions.open(wallet)));
  }
}
