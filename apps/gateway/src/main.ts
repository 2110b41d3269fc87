import 'reflect-metadata';
import { bootHttpService } from '@stablecoin/service-host/boot';
import { GatewayConfiguration } from './gateway.configuration';
import { GatewayModule } from './gateway.module';
import { createAdapter } from './http/adapter';
import { serve } from './serve';

void bootHttpService({
  name: 'gateway',
  configuration: GatewayConfiguration,
  module: GatewayModule,
  commandKey: (configuration) => configuration.commandKey,
  adapter: createAdapter,
  serve,
});
