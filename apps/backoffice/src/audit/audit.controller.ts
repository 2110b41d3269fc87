import { Controller, Get, Param } from '@nestjs/common';
import { OmitType } from '@nestjs/mapped-types';
import { ExplainBalance, explainBalance } from '@stablecoin/contracts/wallet/explain-balance';
import { ListShardCheckpoints, listShardCheckpoints } from '@stablecoin/contracts/wallet/list-shard-checkpoints';
import { listSignedShards } from '@stablecoin/contracts/wallet/list-signed-shards';
import { ProveShardConsistency, proveShardConsistency } from '@stablecoin/contracts/wallet/prove-shard-consistency';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { paginationOf, success } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Acts } from '@stablecoin/people-store/acts';
import { Session } from '@stablecoin/people-store/sessions';
import { FromQuery, WithoutQuery } from '../reads/from-query';
import { FromSession } from '../sessions/session.guard';
import { ForAuditors } from './auditing-roles';

const SHARD = /^(0|[1-9]\d{0,4})$/;
const SHARDS_MAX = 32_767;

class CheckpointsQuery extends OmitType(ListShardCheckpoints, ['shard']) {}
class ConsistencyQuery extends OmitType(ProveShardConsistency, ['shard']) {}
class ExplanationQuery extends OmitType(ExplainBalance, ['wallet_id']) {}

/** The ledger's evidence for the operator's people: of all merchants, and without anything personal. */
@Controller('audit')
export class AuditController {
  constructor(
    private readonly bus: BusClient,
    private readonly acts: Acts,
  ) {}

  @Get('shards')
  @ForAuditors()
  async shards(@WithoutQuery() _none: object) {
    return success((await this.bus.call(listSignedShards, {})).shards);
  }

  @Get('shards/:shard/checkpoints')
  @ForAuditors()
  async checkpoints(@Param('shard') shard: string, @FromQuery(CheckpointsQuery) query: Plain<CheckpointsQuery>) {
    const page = await this.bus.call(listShardCheckpoints, { ...query, shard: shardOf(shard) });
    return { ...success(page.items), pagination: paginationOf(page) };
  }

  /** The browser checks it, and does not ask the ledger whether it holds. */
  @Get('shards/:shard/consistency')
  @ForAuditors()
  async consistency(@Param('shard') shard: string, @FromQuery(ConsistencyQuery) query: Plain<ConsistencyQuery>) {
    return success(await this.bus.call(proveShardConsistency, { ...query, shard: shardOf(shard) }));
  }

  /** What a merchant's wallet held is looked at on the record. */
  @Get('wallets/:wallet_id/balance')
  @ForAuditors()
  async balance(
    @FromSession() session: Session,
    @Param('wallet_id') id: string,
    @FromQuery(ExplanationQuery) query: Plain<ExplanationQuery>,
  ) {
    const wallet_id = pathUuid(id);
    await this.acts.record(
      { action: 'balance-explained', details: { wallet_id, as_of: query.as_of ?? null } },
      session,
    );
    return success(await this.bus.call(explainBalance, { ...query, wallet_id }));
  }
}

/** @throws Refusal for what names none */
function shardOf(text: string): number {
  if (!SHARD.test(text) || Number(text) > SHARDS_MAX) throw new Refusal('not_found');
  return Number(text);
}
