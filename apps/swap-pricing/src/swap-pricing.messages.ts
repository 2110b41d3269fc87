import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CreateQuote, createQuote } from '@stablecoin/contracts/swap/create-quote';
import { ExecutedSwap, ExecuteSwap, executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { GetPrice, getPrice, Price } from '@stablecoin/contracts/swap/get-price';
import { GetSwap, getSwap } from '@stablecoin/contracts/swap/get-swap';
import { RefreshQuote, refreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { SwapQuoteView } from '@stablecoin/contracts/swap/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';

/** Every subject that swap-pricing answers. */
@Controller()
export class SwapPricingMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Handles(createQuote)
  createQuote(request: CreateQuote) {
    return this.commands.execute<CreateQuote, CommandReply<SwapQuoteView>>(request);
  }

  @Handles(refreshQuote)
  refreshQuote(request: RefreshQuote) {
    return this.commands.execute<RefreshQuote, CommandReply<SwapQuoteView>>(request);
  }

  @Handles(executeSwap)
  executeSwap(request: ExecuteSwap) {
    return this.commands.execute<ExecuteSwap, CommandReply<ExecutedSwap>>(request);
  }

  @Handles(getSwap)
  getSwap(request: GetSwap) {
    return this.queries.execute<GetSwap, SwapQuoteView>(request);
  }

  @Handles(getPrice)
  getPrice(request: GetPrice) {
    return this.queries.execute<GetPrice, Price>(request);
  }
}
