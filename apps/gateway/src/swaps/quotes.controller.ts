import { Controller, Get, Param, Post } from '@nestjs/common';
import { createQuote } from '@stablecoin/contracts/swap/create-quote';
import { getSwap } from '@stablecoin/contracts/swap/get-swap';
import { refreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { message, success, successOf } from '../http/envelope';
import { FromBody, pathUuid } from '../http/input';
import { Route } from '../http/route';
import { Command, FromCommand } from '../idempotency/command';
import { Owners } from '../owners/owners';
import { presentQuote, SWAP_QUOTE } from './quote.presenter';
import { CreateQuoteBody, RefreshQuoteBody } from './swap-requests';

const IN_TWO_ENVELOPES = successOf(successOf(SWAP_QUOTE, message));

/** Quotes answer in two envelopes, one in the other, as the reference has it. */
@Controller()
export class QuotesController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
  ) {}

  @Post('instant-swaps')
  @Route({
    summary: 'Create a swap quote',
    answer: 'An envelope of its own, with the quote as its data',
    responds: IN_TWO_ENVELOPES,
    errors: [...createQuote.errors, 'not_found', 'customer_closed'],
  })
  async create(@FromBody(CreateQuoteBody) body: CreateQuoteBody, @FromCommand() command: Command) {
    const owner = await this.owners.findOpen(command.ids.merchant_id, body.customer_id);
    const quote = command.resultOf(await this.bus.call(createQuote, { ...body, ...command.ids }));
    return success(success(presentQuote(quote, owner), 'Swap quote created successfully'));
  }

  @Post('swaps/:swapId/refresh')
  @Route({
    summary: 'Refresh a quote: same id, new price and expiry',
    answer: 'An envelope of its own, with the quote as its data',
    responds: IN_TWO_ENVELOPES,
    errors: [...refreshQuote.errors, 'customer_closed'],
  })
  async refresh(
    @Param('swapId') swapId: string,
    @FromBody(RefreshQuoteBody) body: RefreshQuoteBody,
    @FromCommand() command: Command,
  ) {
    const swap_id = pathUuid(swapId);
    const owner = await this.owners.findOpen(command.ids.merchant_id, body.customer_id);
    const { amount, from_amount = amount as string, ...rest } = body;
    const quote = command.resultOf(
      await this.bus.call(refreshQuote, { ...rest, from_amount, swap_id, ...command.ids }),
    );
    return success(success(presentQuote(quote, owner), 'Swap quote refreshed successfully'));
  }

  @Get('swaps/:swapId')
  @Route({
    summary: 'Get a quote, or the swap that was made of it',
    answer: 'The quote',
    responds: successOf(SWAP_QUOTE),
    errors: getSwap.errors,
  })
  async get(@FromCaller() { merchant_id }: Caller, @Param('swapId') swapId: string) {
    const quote = await this.bus.call(getSwap, { merchant_id, swap_id: pathUuid(swapId) });
    return success(presentQuote(quote, await this.owners.find(merchant_id, quote.customer_id)));
  }
}
