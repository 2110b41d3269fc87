import { ListUnrecognised, listUnrecognised } from '@stablecoin/contracts/chain/list-unrecognised';
import { UnrecognisedView } from '@stablecoin/contracts/chain/views';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { Handles } from '@stablecoin/messaging/handles';
import { ChainDatabase } from '../persistence/chain-database';
import { Prisma } from '../persistence/generated/client';
import { unrecognisedPage } from './unrecognised-rows';

@Handles(listUnrecognised)
export class ListUnrecognisedHandler {
  constructor(private readonly database: ChainDatabase) {}

  execute({ network, reason, ...paging }: ListUnrecognised): Promise<Page<UnrecognisedView>> {
    const condition = Prisma.sql`(${network ?? null}::text IS NULL OR network = ${network ?? null})
      AND (${reason ?? null}::text IS NULL OR unrecognised_reason = ${reason ?? null})`;
    return unrecognisedPage(this.database, condition, paging);
  }
}
