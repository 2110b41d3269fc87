import { Injectable } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { NodeFailure } from '@stablecoin/chain-node/node-failure';
import { screenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ChainNodes } from '../nodes/chain-nodes';
import { senderIn, transfersIn } from '../nodes/transfer-logs';
import { ChainDatabase } from '../persistence/chain-database';
import { DepositRow } from './deposit-rows';

/**
 * Asks the customer service, which has the lists and the decisions, about the sender of a deposit that is about to be credited. What
 * it says goes for the sender whom the chain names: a row may have been written by somebody with this service's database login.
 */
@Injectable()
export class DepositScreening {
  constructor(
    private readonly bus: BusClient,
    private readonly nodes: ChainNodes,
    private readonly database: ChainDatabase,
  ) {}

  /** @throws Error for a deposit whose row names another sender than the chain */
  async screen(deposit: DepositRow): Promise<ScreeningView> {
    const { merchant_id, ledger_id: id, from_address: address } = deposit;
    if (id === null) throw new Error(`deposit ${deposit.id} was recorded without the ledger's id`);
    const customer_id = await this.customerOf(deposit);
    const view = await this.bus.call(screenMovement, { id, movement: 'deposit', merchant_id, customer_id, address });
    if (view.lists.length === 0) return view;
    const sender = await this.senderOf(deposit);
    if (sender === address) return view;
    throw new Error(
      `deposit ${deposit.id} says that ${address} has sent it, and the chain ${sender ?? 'nothing'}: it is not credited`,
    );
  }

  /** Of one that was credited before there was a screening. */
  async tellOfPast(deposit: DepositRow): Promise<void> {
    const { merchant_id, ledger_id: id, from_address: address } = deposit;
    if (id === null) return;
    const asked = { id, movement: 'deposit', merchant_id, address, moved: true } as const;
    await this.bus.call(screenMovement, { ...asked, customer_id: await this.customerOf(deposit) });
  }

  private async customerOf({ wallet_id }: DepositRow): Promise<string | null> {
    const [wallet] = await this.database.$queryRaw<{ customer_id: string | null }[]>`
      SELECT customer_id::text FROM wallets WHERE id = ${wallet_id}::uuid`;
    return wallet?.customer_id ?? null;
  }

  /** By the first node that answers: what is final is the same for all of them. */
  private async senderOf({ network, block_hash, ...name }: DepositRow): Promise<Hex | undefined> {
    let failure: unknown = new Error(`${network} has no node`);
    for (const node of this.nodes.of(network)) {
      try {
        return senderIn(await this.nodes.ask(network, node, () => transfersIn(node, block_hash)), name);
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}
