import { Operation } from '@stablecoin/contracts/wire/operation';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { NatsConnection } from 'nats';

type AnyOperation = Operation<object, unknown>;
type Answer = (request: never) => unknown;

/**
 * Stands where the services are: real messages on a real bus, each checked by its contract, answered as a test says.
 * What was asked is kept, by subject. Operations that were not named are answered by nobody.
 */
export class StandIns {
  readonly asked: { subject: string; request: Record<string, unknown> }[] = [];
  private readonly answers = new Map<string, Answer>();

  private constructor(private readonly connection: NatsConnection) {}

  static async start(natsUrl: string, busKey: Buffer, shard: number, operations: readonly object[]): Promise<StandIns> {
    const connection = await connectToBus(natsUrl, 'stand-ins');
    const server = new BusServer(connection, new SealedCodec(busKey), 'stand-ins');
    const standIns = new StandIns(connection);
    for (const operation of operations as AnyOperation[]) {
      const handler = (request: object) => Promise.resolve(standIns.answer(operation, request));
      server.serve(operation, handler as never);
    }
    await new Promise<void>((resolve, reject) =>
      server.listen((error) => (error ? reject(error as Error) : resolve())),
    );
    await server.takeShard(shard);
    return standIns;
  }

  on<Request extends object, Reply>(
    operation: Operation<Request, Reply>,
    answer: (request: Request) => Reply | Promise<Reply>,
  ) {
    this.answers.set(operation.subject, answer as Answer);
  }

  requestsTo(operation: { subject: string }): Record<string, unknown>[] {
    return this.asked.filter(({ subject }) => subject === operation.subject).map(({ request }) => request);
  }

  async stop(): Promise<void> {
    await this.connection.close();
  }

  private async answer(operation: AnyOperation, request: object): Promise<unknown> {
    this.asked.push({
      subject: operation.subject,
      request: JSON.parse(JSON.stringify(request)) as Record<string, unknown>,
    });
    const answer = this.answers.get(operation.subject);
    if (!answer) throw new Error(`the test says nothing of ${operation.subject}`);
    return answer(request as never);
  }
}
