import 'reflect-metadata';
import { bootService } from '@stablecoin/service-host/boot';
import { SwapPricingConfiguration } from './swap-pricing.configuration';
import { SwapPricingModule } from './swap-pricing.module';

void bootService({ name: 'swap-pricing', configuration: SwapPricingConfiguration, module: SwapPricingModule });
