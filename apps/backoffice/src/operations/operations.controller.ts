import { Controller, Get } from '@nestjs/common';
import { listChainParkedFacts } from '@stablecoin/contracts/chain/list-parked-facts';
import { listCustomerParkedFacts } from '@stablecoin/contracts/customer/list-parked-facts';
import { listPayoutParkedFacts } from '@stablecoin/contracts/payout/list-parked-facts';
import { listSwapParkedFacts } from '@stablecoin/contracts/swap/list-parked-facts';
import { listShards } from '@stablecoin/contracts/wallet/list-shards';
import { ListParkedFacts, ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';
import type { Operation } from '@stablecoin/contracts/wire/operation';
import { success } from '@stablecoin/http-answers/envelope';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { OperatorRole } from '@stablecoin/people-store/roles';
import { orAway } from '../reads/or-away';
import { WithoutQuery } from '../reads/from-query';
import { ForRoles } from '../sessions/session.guard';
import { HeardInstances } from './heard-instances';

const WHO: readonly OperatorRole[] = ['operations', 'auditor'];
const PARKED_LISTED_MAX = 100;
/** By service, as the operators' command line names them. */
const PARKED: readonly [string, Operation<ListParkedFacts, ParkedFactsPage>][] = [
  ['customer', listCustomerParkedFacts],
  ['swap-pricing', listSwapParkedFacts],
  ['payout', listPayoutParkedFacts],
  ['chain', listChainParkedFacts],
];

/** How the services fare. One that does not answer is shown as away; the others are shown all the same. */
@Controller('operations')
export class OperationsController {
  constructor(
    private readonly bus: BusClient,
    private readonly instances: HeardInstances,
  ) {}

  @Get('services')
  @ForRoles(...WHO)
  services(@WithoutQuery() _query: object) {
    return success({ listening_since: this.instances.since.toISOString(), services: this.instances.list() });
  }

  @Get('shards')
  @ForRoles(...WHO)
  async shards(@WithoutQuery() _query: object) {
    return success(await this.bus.call(listShards, {}));
  }

  @Get('parked-facts')
  @ForRoles(...WHO)
  async parkedFacts(@WithoutQuery() _query: object) {
    const part = { page: 1, limit: PARKED_LISTED_MAX };
    const services = PARKED.map(async ([service, operation]) => {
      const page = await orAway(this.bus.call(operation, part));
      return { service, is_away: page === undefined, total: page?.total ?? 0, facts: page?.items ?? [] };
    });
    return success(await Promise.all(services));
  }
}
