import { Controller, createParamDecorator, ExecutionContext, Post } from '@nestjs/common';
import { completeDocument } from '@stablecoin/contracts/customer/complete-document';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import type { FastifyRequest } from 'fastify';
import { Command, FromCommand } from '../idempotency/command';
import { success, successOf } from '@stablecoin/http-answers/envelope';
import { Route } from '../routes/route';
import { ArrivedDocument, FILE_FIELD } from './document-forms';
import { DOCUMENT, presentDocument } from './document.presenter';

/** Gives a controller's method the document whose parts were stored while the body was read. */
const FromForm = createParamDecorator((_data: unknown, context: ExecutionContext): ArrivedDocument => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  if (body === undefined) throw Refusal.ofField(FILE_FIELD, 'required', 'is required');
  return body as ArrivedDocument;
});

@Controller('documents')
export class DocumentsController {
  constructor(private readonly bus: BusClient) {}

  @Post()
  @Route({
    operationId: 'uploadDocument',
    summary: 'Send a document by itself, for a customer that will refer to it within a day',
    answer: 'The document',
    responds: successOf(DOCUMENT),
    errors: [...completeDocument.errors, 'storage_quota_reached'],
    takesFile: true,
  })
  async create(@FromForm() document: ArrivedDocument, @FromCommand() command: Command) {
    const reply = await this.bus.call(completeDocument, { ...document, ...command.ids });
    return success(presentDocument(command.resultOf(reply)));
  }
}
