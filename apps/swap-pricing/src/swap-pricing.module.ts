import { Module } from '@nestjs/common';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { SwapSettledConsumer } from './swaps/swap-settled.consumer';
import { SwapDatabase } from './persistence/swap-database';
import { GetPriceHandler } from './rates/get-price.handler';
import { GetSwapHandler } from './swaps/get-swap.handler';
import { QuoteRetention } from './quotes/quote-retention';
import { SwapExecution } from './swaps/swap-execution';
import { HttpRateSource } from './rates/http-rate-source';
import { RateSource } from './rates/rate-source';
import { StaticBook } from './rates/static-book';
import { SwapPricingConfiguration } from './swap-pricing.configuration';
import { CreateQuoteHandler } from './quotes/create-quote.handler';
import { ExecuteSwapHandler } from './swaps/execute-swap.handler';
import { RefreshQuoteHandler } from './quotes/refresh-quote.handler';

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
