import { Module } from '@nestjs/common';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { SwapSettledConsumer } from './facts/swap-settled.consumer';
import { SwapDatabase } from './persistence/swap-database';
import { GetPriceHandler } from './queries/get-price/get-price.handler';
import { GetSwapHandler } from './queries/get-swap/get-swap.handler';
import { QuoteRetention } from './quotes/quote-retention';
import { SwapExecution } from './quotes/swap-execution';
import { HttpRateSource } from './rates/http-rate-source';
import { RateSource } from './rates/rate-source';
import { StaticBook } from './rates/static-book';
import { SwapPricingConfiguration } from './swap-pricing.configuration';
import { CreateQuoteHandler } from './use-cases/create-quote/create-quote.handler';
import { ExecuteSwapHandler } from './use-cases/execute-swap/execute-swap.handler';
import { RefreshQuoteHandler } from './use-cases/refresh-quote/refresh-quote.handler';

const rateSource = {
  provide: RateSource,
  inject: [SwapPricingConfiguration],
  useFactory: ({ rateSourceUrl, rateMaxAgeS, usdPrices }: SwapPricingConfiguration): RateSource =>
    rateSourceUrl
      ? new HttpRateSource(rateSourceUrl, rateMaxAgeS * 1_000)
      : new StaticBook(usdPrices, rateMaxAgeS * 1_000),
};

@Module({
  imports: [OperationHandlersModule, FactsModule],
  providers: [
    SwapDatabase,
    SwapExecution,
    QuoteRetention,
    SwapSettledConsumer,
    rateSource,
    CreateQuoteHandler,
    RefreshQuoteHandler,
    ExecuteSwapHandler,
    GetSwapHandler,
    GetPriceHandler,
  ],
})
export class SwapPricingModule {}
