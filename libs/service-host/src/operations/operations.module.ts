import { DynamicModule, Module } from '@nestjs/common';
import { NatsConnection } from 'nats';
import { json, OperationsServer } from './operations-server';
import { Readiness, ReadinessCheck } from './readiness';

/** What a process answers about itself; a class that has something to add injects `OperationsServer` or `Readiness`. */
export interface Operations {
  server: OperationsServer;
  readiness: Readiness;
}

export function createOperations(): Operations {
  const operations = { server: new OperationsServer(), readiness: new Readiness() };
  // An answer shows that the event loop runs. An outage of what the process depends on must not get it restarted.
  operations.server.route('/live', () => json(200, { live: true }));
  operations.server.route('/ready', async () => {
    const report = await operations.readiness.report();
    return json(report.ready ? 200 : 503, report);
  });
  return operations;
}

/** The broker answers a ping, over the connection that the process works with. */
export function busCheck(connection: NatsConnection): ReadinessCheck {
  return {
    name: 'bus',
    look: async () => {
      if (connection.isClosed()) return 'is closed';
      await connection.rtt();
      return undefined;
    },
  };
}

@Module({})
export class OperationsModule {
  static of({ server, readiness }: Operations): DynamicModule {
    const providers = [
      { provide: OperationsServer, useValue: server },
      { provide: Readiness, useValue: readiness },
    ];
    return { module: OperationsModule, global: true, providers, exports: providers };
  }
}
