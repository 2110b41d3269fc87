import { Module } from '@nestjs/common';
import { OperationHandlersModule } from '@stablecoin/messaging/operation-handlers.module';
import { getPrice } from '@stablecoin/contracts/swap/get-price';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { DatabaseWatch } from '@stablecoin/persistence/database-watch';
import { FactsModule } from '@stablecoin/facts/facts.module';
import { SwapSettledConsumer } from './swaps/swap-settled.consumer';
import { ListSwapParkedFactsHandler } from './facts/list-parked-facts.handler';
import { SwapDatabase } from './persistence/swap-database';
import { GetPriceHandler } from './rates/get-price.handler';
import { GetSwapHandler } from './swaps/get-swap.handler';
import { QuoteRetention } from './quotes/quote-retention';
import { TermsMac } from './quotes/terms-mac';
import { SignedQuotes } from './swaps/signed-quotes';
import { SwapExecution } from './swaps/swap-execution';
import { HttpRateSource } from './rates/http-rate-source';
import { RateSource } from './rates/rate-source';
import { StaticBook } from './rates/static-book';
import { SwapPricingConfiguration } from './swap-pricing.configuration';
import { CreateQuoteHandler } from './quotes/create-quote.handler';
import { DryRunExecuteSwapHandler } from './swaps/dry-run-execute-swap.handler';
import { ExecuteSwapHandler } from './swaps/execute-swap.handler';
import { RefreshQuoteHandler } from './swaps/refresh-quote.handler';

const rateSource = {
  provide: RateSource,
  inject: [SwapPricingConfiguration],
  useFactory: ({ rateSourceUrl, rateMaxAgeS, usdPrices, staticRatesForLive }: SwapPricingConfiguration): RateSource =>
    rateSourceUrl
      ? new HttpRateSource(rateSourceUrl, rateMaxAgeS * 1_000)
      : new StaticBook(usdPrices, rateMaxAgeS * 1_000, staticRatesForLive),
};

const databaseWatch = {
  provide: DatabaseWatch,
  inject: [SwapPricingConfiguration, BusServer],
  useFactory: ({ databaseUrl }: SwapPricingConfiguration, server: BusServer) => {
    const answeredWithout = [getPrice];
    return new DatabaseWatch({ url: databaseUrl, applicationName: 'swap-pricing', answeredWithout }, server);
  },
};

@Module({
  imports: [OperationHandlersModule, FactsModule],
  providers: [
    SwapDatabase,
    databaseWatch,
    SwapExecution,
    SignedQuotes,
    TermsMac,
    QuoteRetention,
    SwapSettledConsumer,
    rateSource,
    CreateQuoteHandler,
    RefreshQuoteHandler,
    ExecuteSwapHandler,
    DryRunExecuteSwapHandler,
    GetSwapHandler,
    GetPriceHandler,
    ListSwapParkedFactsHandler,
  ],
})
export class SwapPricingModule {}
