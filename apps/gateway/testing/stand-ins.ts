import { Operation } from '@stablecoin/contracts/wire/operation';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { NatsConnection } from 'nats';

type AnyOperation = Operation<object, unknown>;
type Answer = (request: never) => unknown;

/**
 * Stands in for the services: answers real messages on a real bus as a test defines, each checked by its contract.
 * Keeps the requests by subject. Operations that the test does not define have no responder.
 */
export class StandIns {
  readonly asked: { subject: string; request: Record<string, unknown> }[] = [];
  private readonly answers = new Map<string, Answer>();

  private constructor(readonly connection: NatsConnection) {}

  static async start(natsUrl: string, busKey: Buffer, shard: number, operations: readonly object[]): Promise<StandIns> {
    const connection = await connectToBus(natsUrl, 'stand-ins');
    const server = new BusServer(connection, new SealedCodec(busKey), 'stand-ins');
    const standIns = new StandIns(connection);
    for (const operation of operations as AnyOperation[]) {
      const handler = async (request: object) => await standIns.answer(operation, request);
      server.serve(operation, handler);
    }
    await new Promise<void>((resolve, reject) =>
      server.listen((error) => {
        if (error === undefined || error === null) resolve();
        else reject(error instanceof Error ? error : new Error(String(error)));
      }),
    );
    await server.takeShard(shard);
    return standIns;
  }

  on<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    answer: (request: Request) => Reply | Promise<Reply>,
  ) {
    this.answers.set(operation.subject, answer);
  }

  requestsTo(operation: { subject: string }): Record<string, unknown>[] {
    return this.asked.filter(({ subject }) => subject === operation.subject).map(({ request }) => request);
  }

  async stop(): Promise<void> {
    await this.connection.close();
  }

  private answer(operation: AnyOperation, request: object): unknown {
    this.asked.push({
      subject: operation.subject,
      request: JSON.parse(JSON.stringify(request)) as Record<string, unknown>,
    });
    const answer = this.answers.get(operation.subject);
    if (!answer) throw new Error(`the test says nothing of ${operation.subject}`);
    return answer(request as never);
  }
}
