import { Controller, Get, Param, Post } from '@nestjs/common';
import { Owner } from '@stablecoin/contracts/customer/find-owner';
import { createQuote } from '@stablecoin/contracts/swap/create-quote';
import { getSwap } from '@stablecoin/contracts/swap/get-swap';
import { refreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { MadeQuoteView, QUOTE_PROFILE_FIELD } from '@stablecoin/contracts/swap/views';
import type { Plain } from '@stablecoin/contracts/wire/operation';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Caller, FromCaller } from '../authentication/caller';
import { message, success, successOf } from '@stablecoin/http-answers/envelope';
import { pathUuid } from '@stablecoin/http-answers/query';
import { FromBody } from '../routes/input';
import { Route } from '../routes/route';
import { Command, FromCommand } from '../idempotency/command';
import { Owners } from '@stablecoin/merchant-resources/owners/owners';
import { SealedValues } from '@stablecoin/merchant-resources/owners/sealed-values';
import { presentQuote, SWAP_QUOTE } from './quote.presenter';
import { CreateQuoteBody, RefreshQuoteBody } from '@stablecoin/merchant-resources/swaps/swap-requests';

const IN_TWO_ENVELOPES = successOf(successOf(SWAP_QUOTE, message));

/** Quotes are answered in two envelopes, one inside the other, because merchants already read them there. */
@Controller()
export class QuotesController {
  constructor(
    private readonly bus: BusClient,
    private readonly owners: Owners,
    private readonly sealedValues: SealedValues,
  ) {}

  @Post('instant-swaps')
  @Route({
    operationId: 'createQuote',
    summary: 'Create a swap quote',
    answer: 'An envelope of its own, with the quote as its data',
    bodies: { '40 USDT for naira': { from_currency: 'USDT', to_currency: 'NGN', amount: '40' } },
    responds: IN_TWO_ENVELOPES,
    cost: 2,
    errors: [...createQuote.errors, 'not_found', 'customer_closed'],
  })
  async create(
    @FromCaller() { mode: key_mode, merchant_id }: Caller,
    @FromBody(CreateQuoteBody) body: Plain<CreateQuoteBody>,
    @FromCommand() command: Command,
  ) {
    const owner = await this.owners.findOpen(command, body.customer_id);
    const sealed_profile = this.sealProfile(merchant_id, owner);
    const quote = command.resultOf(
      await this.bus.call(createQuote, { ...body, key_mode, sealed_profile, ...command.ids }),
    );
    const shown = presentQuote(quote, await this.ownerThen(merchant_id, owner, quote));
    return success(success(shown, 'Swap quote created successfully'));
  }

  @Post('swaps/:swapId/refresh')
  @Route({
    operationId: 'refreshQuote',
    summary: 'Refresh a quote: same id, new price and expiry',
    answer: 'An envelope of its own, with the quote as its data',
    needs: 'The quote was made for the same currencies and amount, with `createQuote`, and is not used.',
    bodies: { 'The quote over 40 USDT': { from_currency: 'USDT', to_currency: 'NGN', from_amount: '40' } },
    responds: IN_TWO_ENVELOPES,
    cost: 2,
    errors: [...refreshQuote.errors, 'customer_closed'],
  })
  async refresh(
    @FromCaller() { mode: key_mode, merchant_id }: Caller,
    @Param('swapId') swapId: string,
    @FromBody(RefreshQuoteBody) body: Plain<RefreshQuoteBody>,
    @FromCommand() command: Command,
  ) {
    const swap_id = pathUuid(swapId);
    const owner = await this.owners.findOpen(command, body.customer_id);
    const { amount, from_amount, ...rest } = body;
    // One of the two is present: the body's class requires it.
    const request = {
      ...rest,
      from_amount: (from_amount ?? amount) as string,
      swap_id,
      key_mode,
      sealed_profile: this.sealProfile(merchant_id, owner),
      ...command.ids,
    };
    const quote = command.resultOf(await this.bus.call(refreshQuote, request));
    const shown = presentQuote(quote, await this.ownerThen(merchant_id, owner, quote));
    return success(success(shown, 'Swap quote refreshed successfully'));
  }

  @Get('swaps/:swapId')
  @Route({
    operationId: 'getSwap',
    summary: 'Get a quote, or the swap that was made of it',
    answer: 'The quote',
    responds: successOf(SWAP_QUOTE),
    errors: getSwap.errors,
  })
  async get(@FromCaller() { merchant_id }: Caller, @Param('swapId') swapId: string) {
    const quote = await this.bus.call(getSwap, { merchant_id, swap_id: pathUuid(swapId) });
    return success(presentQuote(quote, await this.owners.find(merchant_id, quote.customer_id)));
  }

  private sealProfile(merchantId: string, owner: Owner): string {
    return this.sealedValues.seal(merchantId, owner, QUOTE_PROFILE_FIELD, owner.profile);
  }

  /** The owner as it was when the quote was made: a repeated request gets the same answer. */
  private async ownerThen(merchantId: string, owner: Owner, { sealed_profile: sealed }: MadeQuoteView): Promise<Owner> {
    if (!sealed) return owner;
    const value = { customer_id: owner.customer_id, field: QUOTE_PROFILE_FIELD, sealed };
    const [profile] = (await this.sealedValues.open(merchantId, [value])) as (Owner['profile'] | null)[];
    return profile ? { ...owner, profile } : owner;
  }
}
