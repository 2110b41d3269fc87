import { randomBytes } from 'node:crypto';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { SimulateChainDeposit, simulateChainDeposit } from '@stablecoin/contracts/chain/simulate-deposit';
import { SubmitTransfer, submitTransfer } from '@stablecoin/contracts/chain/submit-transfer';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { NatsConnection } from 'nats';

/** What is answered for each deposit of the faucet. */
const SEEN = { status: 'PENDING' } as TransactionView;

/** Answers payout's orders and questions as the service `chain` does; transfers move only as the test says. */
export class ChainStandIn {
  readonly transfers = new Map<string, TransferView>();
  /** Every order, also those that were answered before. */
  readonly orders: SubmitTransfer[] = [];
  readonly lookedUp: string[] = [];
  /** What the faucet was asked for. */
  readonly deposits: SimulateChainDeposit[] = [];
  /** Orders that are taken, and whose answers are lost. */
  lostAnswers = 0;

  static async start(connection: NatsConnection, codec: SealedCodec): Promise<ChainStandIn> {
    const chain = new ChainStandIn();
    const server = new BusServer(connection, codec, 'chain');
    server.serve(submitTransfer, async (request) => chain.submit(request));
    server.serve(simulateChainDeposit, async (request) => {
      chain.deposits.push(request);
      return { result: SEEN, replayed: false };
    });
    server.serve(lookUpTransfer, async ({ reference }) => chain.lookUp(reference));
    await new Promise<void>((listening, failed) => server.listen((error) => (error ? failed(error) : listening())));
    return chain;
  }

  move(reference: string, changes: Partial<TransferView>): void {
    const transfer = this.transfers.get(reference);
    if (!transfer) throw new Error(`no transfer ${reference}`);
    this.transfers.set(reference, { ...transfer, ...changes });
  }

  private submit(order: SubmitTransfer): TransferView {
    this.orders.push(order);
    const transfer = this.transfers.get(order.reference) ?? waiting(order);
    this.transfers.set(order.reference, transfer);
    if (this.lostAnswers > 0) {
      this.lostAnswers -= 1;
      throw new Refusal('unavailable');
    }
    return transfer;
  }

  private lookUp(reference: string): TransferView {
    this.lookedUp.push(reference);
    const transfer = this.transfers.get(reference);
    if (!transfer) throw new Refusal('not_found');
    return transfer;
  }
}

function waiting({ reference, network, currency, to }: SubmitTransfer): TransferView {
  const now = new Date().toISOString();
  return {
    ...{ reference, kind: 'payout', network, currency, to_address: to, units: '10000000' },
    ...{ from_address: `0x${randomBytes(20).toString('hex')}`, state: 'waiting', held_by: 'turn', failure: null },
    ...{ nonce: null, transaction_hash: null, block_number: null, confirmations: 0, fee_wei: null },
    ...{ cancelled_by: null, created_at: now, updated_at: now },
  };
}
