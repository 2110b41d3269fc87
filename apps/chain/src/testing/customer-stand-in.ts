import { ScreenMovement, screenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { NatsConnection } from 'nats';

/** Answers what the chain service asks about the senders of deposits. */
export class CustomerStandIn {
  /** What every sender's screening comes to: held against no list, they pass. */
  decision: ScreeningView = { decision: 'clear', lists: [] };
  readonly screened: ScreenMovement[] = [];

  static async start(connection: NatsConnection, codec: SealedCodec): Promise<CustomerStandIn> {
    const customer = new CustomerStandIn();
    const server = new BusServer(connection, codec, 'customer');
    server.serve(screenMovement, async (request) => {
      customer.screened.push(request);
      return customer.decision;
    });
    await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
    return customer;
  }
}
