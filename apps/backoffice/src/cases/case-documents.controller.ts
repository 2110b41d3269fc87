import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { Session } from '@stablecoin/people-store/sessions';
import type { FastifyReply } from 'fastify';
import { CaseReason } from '../customers/customer-requests';
import { DocumentContents } from '../customers/document-contents';
import { WithoutQuery } from '../reads/from-query';
import { ForRoles, FromSession, SteppedUpByPasskey } from '../sessions/session.guard';
import { Cases } from './cases';

/** The same for compliance officers, of any merchant's customer. */
@Controller('cases/:customer_id/documents/:document_id')
export class CaseDocumentsController {
  constructor(
    private readonly cases: Cases,
    private readonly documents: DocumentContents,
  ) {}

  @Post('open')
  @HttpCode(200)
  @ForRoles('compliance')
  @SteppedUpByPasskey()
  async open(
    @FromSession() session: Session,
    @Param('customer_id') customer: string,
    @Param('document_id') document: string,
    @Body() body: unknown,
  ) {
    const { reason } = validateRequest(CaseReason, body);
    const named = await this.cases.named(customer);
    return success(await this.documents.open(pathUuid(document), reason, named, session));
  }

  @Get('content')
  @ForRoles('compliance')
  async content(
    @FromSession() session: Session,
    @Param('customer_id') customer: string,
    @Param('document_id') document: string,
    @WithoutQuery() _none: object,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.documents.send(pathUuid(document), await this.cases.named(customer), session, reply);
  }
}
