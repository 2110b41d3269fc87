import { Body, Controller, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { validateRequest } from '@stablecoin/contracts/wire/validate-request';
import { success } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import type { FastifyReply } from 'fastify';
import { FromMerchantMember, MerchantMember } from '../commands/merchant-member';
import { WithoutQuery } from '../reads/from-query';
import { ForRoles, SteppedUpByPasskey } from '../sessions/session.guard';
import { ReasonToRead } from './customer-requests';
import { DocumentContents } from './document-contents';

/** What a merchant's customer has handed in, for the merchant's admins. */
@Controller('customers/:customer_id/documents/:document_id')
export class CustomerDocumentsController {
  constructor(private readonly documents: DocumentContents) {}

  @Post('open')
  @HttpCode(200)
  @ForRoles('admin')
  @SteppedUpByPasskey()
  async open(
    @FromMerchantMember() { session, merchant: { merchant_id } }: MerchantMember,
    @Param('customer_id') customer: string,
    @Param('document_id') document: string,
    @Body() body: unknown,
  ) {
    const customer_id = pathUuid(customer);
    const { reason } = validateRequest(ReasonToRead, body);
    return success(await this.documents.open(pathUuid(document), reason, { merchant_id, customer_id }, session));
  }

  @Get('content')
  @ForRoles('admin')
  async content(
    @FromMerchantMember() { session, merchant: { merchant_id } }: MerchantMember,
    @Param('customer_id') customer: string,
    @Param('document_id') document: string,
    @WithoutQuery() _none: object,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const customer_id = pathUuid(customer);
    await this.documents.send(pathUuid(document), { merchant_id, customer_id }, session, reply);
  }
}
