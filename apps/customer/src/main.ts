import { bootService } from '@stablecoin/service-host/boot';
import { CustomerConfiguration } from './customer.configuration';
import { CustomerModule } from './customer.module';

void bootService({ name: 'customer', configuration: CustomerConfiguration, module: CustomerModule });
