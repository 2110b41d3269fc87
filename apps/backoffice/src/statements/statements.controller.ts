import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { OmitType } from '@nestjs/mapped-types';
import { GetDailyBalances, getDailyBalances } from '@stablecoin/contracts/wallet/get-daily-balances';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { success } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportFormat, ExportReplies } from '../exports/export-replies';
import { AskingMerchant, FromMerchant } from '../reads/from-merchant';
import { FromQuery } from '../reads/from-query';
import { ofMerchant } from '../sessions/merchant-path';
import { ForMembersOfMerchants, ForReadersOfMerchants, FromSession } from '../sessions/session.guard';
import { AskedStatement } from './statement-pdf';
import { WalletStatements } from './wallet-statements';

/** Whole UTC days, both included. */
class StatementDays extends OmitType(GetDailyBalances, ['merchant_id', 'wallet_id']) {}

/** What a wallet held from day to day, and what was posted to it. */
@Controller()
export class StatementsController {
  constructor(
    private readonly bus: BusClient,
    private readonly statements: WalletStatements,
    private readonly replies: ExportReplies,
  ) {}

  @Get(ofMerchant('wallets/:wallet_id/balances'))
  @ForReadersOfMerchants()
  async balances(
    @FromMerchant() { merchant_id, shard }: AskingMerchant,
    @Param('wallet_id') id: string,
    @FromQuery(StatementDays) days: Plain<StatementDays>,
  ) {
    const asked = { ...days, merchant_id, wallet_id: pathUuid(id) };
    return success(await this.bus.call(getDailyBalances, asked, { shard }));
  }

  @Get('wallets/:wallet_id/statement.csv')
  @ForMembersOfMerchants()
  async csv(
    @FromMerchant() { merchant_id, shard }: AskingMerchant,
    @Param('wallet_id') id: string,
    @FromQuery(StatementDays) days: Plain<StatementDays>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { ...days, merchant_id, shard, wallet_id: pathUuid(id) };
    await this.replies.send({ request, reply, ...exportOf('csv', asked) }, (by) => this.statements.csv(asked, by));
  }

  @Get('wallets/:wallet_id/statement.pdf')
  @ForMembersOfMerchants()
  async pdf(
    @FromMerchant() { merchant_id, shard }: AskingMerchant,
    @FromSession() { merchant }: Session,
    @Param('wallet_id') id: string,
    @FromQuery(StatementDays) days: Plain<StatementDays>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const asked = { ...days, merchant_id, shard, wallet_id: pathUuid(id) };
    await this.replies.send({ request, reply, ...exportOf('pdf', asked) }, (by) =>
      this.statements.pdf(asked, merchant?.name ?? '', by),
    );
  }
}

const exportOf = (format: ExportFormat, { wallet_id, start_date, end_date }: AskedStatement) => ({
  ...{ format, name: `statement-${start_date}-${end_date}` },
  act: { action: 'statement-exported', details: { format, wallet_id, start_date, end_date } } as const,
});
