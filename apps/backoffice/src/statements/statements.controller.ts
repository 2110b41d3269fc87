import { Readable } from 'node:stream';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { OmitType } from '@nestjs/mapped-types';
import { GetDailyBalances, getDailyBalances } from '@stablecoin/contracts/wallet/get-daily-balances';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { success } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ExportReplies } from '../exports/export-replies';
import { AskingMerchant, FromMerchant, merchantOf } from '../reads/from-merchant';
import { FromQuery } from '../reads/from-query';
import { ofMerchant } from '../sessions/merchant-path';
import { ForMembersOfMerchants, ForReadersOfMerchants, FromSession } from '../sessions/session.guard';
import { AskedStatement } from './statement-pdf';
import { WalletStatements } from './wallet-statements';

/** Whole UTC days, both included. */
class StatementDays extends OmitType(GetDailyBalances, ['merchant_id', 'wallet_id']) {}

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', pdf: 'application/pdf' } as const;
type Format = keyof typeof TYPES;

/** What a wallet held from day to day, and what was posted to it. */
@Controller(ofMerchant('wallets/:wallet_id'))
export class StatementsController {
  constructor(
    private readonly bus: BusClient,
    private readonly statements: WalletStatements,
    private readonly replies: ExportReplies,
  ) {}

  @Get('balances')
  @ForReadersOfMerchants()
  async balances(
    @FromMerchant() { merchant_id }: AskingMerchant,
    @Param('wallet_id') id: string,
    @FromQuery(StatementDays) days: Plain<StatementDays>,
  ) {
    return success(await this.bus.call(getDailyBalances, { ...days, merchant_id, wallet_id: pathUuid(id) }));
  }

  @Get('statement.csv')
  @ForMembersOfMerchants()
  csv(
    @FromSession() session: Session,
    @Param('wallet_id') id: string,
    @FromQuery(StatementDays) days: Plain<StatementDays>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send('csv', { ...days, wallet_id: pathUuid(id) }, { session, request, reply });
  }

  @Get('statement.pdf')
  @ForMembersOfMerchants()
  pdf(
    @FromSession() session: Session,
    @Param('wallet_id') id: string,
    @FromQuery(StatementDays) days: Plain<StatementDays>,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send('pdf', { ...days, wallet_id: pathUuid(id) }, { session, request, reply });
  }

  private send(
    format: Format,
    { wallet_id, start_date, end_date }: Omit<AskedStatement, 'merchant_id'>,
    to: { session: Session; request: FastifyRequest; reply: FastifyReply },
  ): Promise<void> {
    const { merchant_id } = merchantOf(to.session);
    const asked = { merchant_id, wallet_id, start_date, end_date };
    const act = { action: 'statement-exported', details: { format, wallet_id, start_date, end_date } } as const;
    const file = `statement-${start_date}-${end_date}.${format}`;
    return this.replies.send({ ...to, act, file, type: TYPES[format] }, (by): Promise<Readable> =>
      format === 'csv'
        ? this.statements.csv(asked, by)
        : this.statements.pdf(asked, to.session.merchant?.name ?? '', by),
    );
  }
}
