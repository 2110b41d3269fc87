import { Injectable } from '@nestjs/common';
import { listMerchantUnrecognised } from '@stablecoin/contracts/chain/list-merchant-unrecognised';
import { UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { TransactionStatus } from '@stablecoin/contracts/wallet/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { ExplorerLinks } from '@stablecoin/merchant-resources/transactions/explorer-links';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { AskingMerchant } from '../reads/from-merchant';
import { orAway } from '../reads/or-away';
import { MerchantTransactions, PrintedTransaction } from '../transactions/merchant-transactions';

interface Asked {
  status?: TransactionStatus | undefined;
  page: number;
  limit: number;
}

/** A transfer to an address of the merchant's that was not credited, as members see it. */
export interface PrintedUnrecognised extends Omit<UnrecognisedView, 'merchant_id' | 'from_address'> {
  /** Whose money it is: null for members who see no personal data. */
  from_address: string | null;
  explorer_url: string | null;
}

/** A merchant's deposits, with how far those are that are under way. */
@Injectable()
export class MerchantDeposits {
  constructor(
    private readonly bus: BusClient,
    private readonly transactions: MerchantTransactions,
    private readonly links: ExplorerLinks,
  ) {}

  /** Of those that are PENDING the chain is asked, of each by itself and for half a second at most: there are few of them at a time. */
  async list(merchant: AskingMerchant, { status, page, limit }: Asked): Promise<Page<PrintedTransaction>> {
    const { merchant_id, shard } = merchant;
    const asked = { merchant_id, transaction_type: 'DEPOSIT', ...(status && { status }), page, limit } as const;
    const found = await this.bus.call(listTransactions, asked, { shard });
    return { ...found, items: await this.transactions.printAllWithProgress(found.items, merchant) };
  }

  /** None where no network is a real chain: then there is no service that would know of any. */
  async unrecognised(
    { merchant_id, seesPersonalData }: AskingMerchant,
    { page, limit }: Asked,
  ): Promise<Page<PrintedUnrecognised>> {
    const found = await orAway(this.bus.call(listMerchantUnrecognised, { merchant_id, page, limit }));
    if (found === undefined) return { items: [], total: 0, page, limit };
    return { ...found, items: found.items.map((item) => this.printed(item, seesPersonalData)) };
  }

  private printed({ merchant_id: _, ...shown }: UnrecognisedView, seesPersonalData: boolean): PrintedUnrecognised {
    const { id, network, transaction_hash: crypto_transaction_id } = shown;
    const link = this.links.urlOf({ id, network, transaction_type: 'DEPOSIT', crypto_transaction_id });
    return { ...shown, from_address: seesPersonalData ? shown.from_address : null, explorer_url: link };
  }
}
