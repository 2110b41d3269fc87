import { Injectable, Module, OnModuleInit } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { CommandBus, CqrsModule, QueryBus } from '@nestjs/cqrs';
import { BusServer } from './bus-server';
import { operationHandledBy } from './handles';

/** Tells the bus server which operations this process answers: those that a provider's class names with `@Handles`. */
@Injectable()
export class OperationHandlers implements OnModuleInit {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly server: BusServer,
  ) {}

  onModuleInit(): void {
    for (const { metatype } of this.discovery.getProviders()) {
      const operation = metatype ? operationHandledBy(metatype) : undefined;
      if (!operation) continue;
      this.server.serve(operation, (request) =>
        operation.readOnly ? this.queries.execute(request) : this.commands.execute(request),
      );
    }
  }
}

/** Imported by a service: its handlers are dispatched by @nestjs/cqrs, and answer on the bus. */
@Module({ imports: [CqrsModule.forRoot(), DiscoveryModule], providers: [OperationHandlers] })
export class OperationHandlersModule {}
