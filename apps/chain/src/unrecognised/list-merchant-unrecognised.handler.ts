import {
  ListMerchantUnrecognised,
  listMerchantUnrecognised,
} from '@stablecoin/contracts/chain/list-merchant-unrecognised';
import { UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Handles } from '@stablecoin/messaging/handles';
import { ChainDatabase } from '../persistence/chain-database';
import { Prisma } from '../persistence/generated/client';
import { unrecognisedPage } from './unrecognised-rows';

@Handles(listMerchantUnrecognised)
export class ListMerchantUnrecognisedHandler {
  constructor(private readonly database: ChainDatabase) {}

  execute({ merchant_id, ...paging }: ListMerchantUnrecognised): Promise<Page<UnrecognisedView>> {
    return unrecognisedPage(this.database, Prisma.sql`merchant_id = ${merchant_id}::uuid`, paging);
  }
}
