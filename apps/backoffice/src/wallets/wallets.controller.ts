import { Controller, Get, Param } from '@nestjs/common';
import { getPastBalance } from '@stablecoin/contracts/wallet/get-past-balance';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { WalletView } from '@stablecoin/contracts/wallet/views';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { success, successPage } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import { WalletDescriptions } from '@stablecoin/merchant-resources/wallets/wallet-descriptions';
import { ListWalletsQuery } from '@stablecoin/merchant-resources/wallets/wallet-requests';
import { presentWallet } from '@stablecoin/merchant-resources/wallets/wallet.presenter';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery, WithoutQuery } from '../reads/from-query';
import { ofMerchant } from '../sessions/merchant-path';
import { ForReadersOfMerchants } from '../sessions/session.guard';
import { StatementQuery } from './statement-query';

/** A merchant's wallets as the gateway prints them; a description is a free text, which may name anybody. */
@Controller(ofMerchant('wallets'))
export class WalletsController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
    private readonly descriptions: WalletDescriptions,
  ) {}

  @Get()
  @ForReadersOfMerchants()
  async list(@FromMerchant() merchant: AskingMerchant, @FromQuery(ListWalletsQuery) query: Plain<ListWalletsQuery>) {
    const { merchant_id, shard } = merchant;
    if (query.customer_id) await this.owners.find(merchant_id, query.customer_id);
    const page = await this.bus.call(listWallets, { ...query, merchant_id }, { shard });
    return successPage({ ...page, items: await this.described(merchant, page.items) }, presentWallet);
  }

  @Get(':wallet_id')
  @ForReadersOfMerchants()
  async get(@FromMerchant() merchant: AskingMerchant, @Param('wallet_id') id: string, @WithoutQuery() _query: object) {
    const { merchant_id, shard } = merchant;
    const wallet = await this.bus.call(getWallet, { merchant_id, wallet_id: pathUuid(id) }, { shard });
    const [described = wallet] = await this.described(merchant, [wallet]);
    return success(presentWallet(described));
  }

  /** What it held at a time, from the log itself. */
  @Get(':wallet_id/statement')
  @ForReadersOfMerchants()
  async statement(
    @FromMerchant() { merchant_id, shard }: AskingMerchant,
    @Param('wallet_id') id: string,
    @FromQuery(StatementQuery) query: Plain<StatementQuery>,
  ) {
    const asked = { ...query, merchant_id, wallet_id: pathUuid(id) };
    return success(await this.bus.call(getPastBalance, asked, { shard }));
  }

  private async described({ seesPersonalData }: AskingMerchant, wallets: readonly WalletView[]): Promise<WalletView[]> {
    if (seesPersonalData) return this.descriptions.openAll(wallets);
    return wallets.map((wallet) => ({ ...wallet, description: null }));
  }
}
