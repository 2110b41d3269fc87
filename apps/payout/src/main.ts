import 'reflect-metadata';
import { bootService } from '@stablecoin/service-host/boot';
import { PayoutConfiguration } from './payout.configuration';
import { PayoutModule } from './payout.module';

void bootService({ name: 'payout', configuration: PayoutConfiguration, module: PayoutModule });
