import { Injectable } from '@nestjs/common';
import { NodeFailure } from '@stablecoin/chain-node/node-failure';
import { tokenAt } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import { screenMovement } from '@stablecoin/contracts/customer/screen-movement';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { ChainNodes } from '../nodes/chain-nodes';
import { transferIn, TransferLog, transfersIn } from '../nodes/transfer-logs';
import { ChainDatabase } from '../persistence/chain-database';
import { DepositRow } from './deposit-rows';

/**
 * Asks the customer service, which has the lists and the decisions, about the sender of a deposit that is about to be credited. What
 * it says goes for the transfer that is on the chain: a row may have been written by somebody with this service's database login.
 */
@Injectable()
export class DepositScreening {
  constructor(
    private readonly bus: BusClient,
    private readonly nodes: ChainNodes,
    private readonly database: ChainDatabase,
  ) {}

  /** @throws Error for a deposit whose row says something else than the chain, where it would be credited */
  async screen(deposit: DepositRow): Promise<ScreeningView> {
    const { merchant_id, ledger_id: id, from_address: address } = deposit;
    if (id === null) throw new Error(`deposit ${deposit.id} was recorded without the ledger's id`);
    const customer_id = await this.customerOf(deposit);
    const view = await this.bus.call(screenMovement, { id, movement: 'deposit', merchant_id, customer_id, address });
    if (view.decision === 'unlisted') return view;
    const problem = differenceOf(deposit, await this.transferOf(deposit));
    if (problem === undefined) return view;
    throw new Error(`deposit ${deposit.id} is not credited: ${problem}`);
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
  private async transferOf({ network, block_hash, ...name }: DepositRow): Promise<TransferLog | undefined> {
    let failure: unknown = new Error(`${network} has no node`);
    for (const node of this.nodes.of(network)) {
      try {
        return transferIn(await this.nodes.ask(network, node, () => transfersIn(node, block_hash)), name);
      } catch (error) {
        if (!(error instanceof NodeFailure)) throw error;
        failure = error;
      }
    }
    throw failure;
  }
}

/** What of a deposit's row is not so on the chain; undefined where all of it is. */
function differenceOf(deposit: DepositRow, transfer: TransferLog | undefined): string | undefined {
  if (transfer === undefined) return 'there is no such transfer in its block';
  const token = tokenAt(deposit.network, transfer.token);
  if (token === undefined) return `${transfer.token} is no token that counts as money`;
  const { amount } = toLedgerAmount(token, transfer.units);
  const said = [deposit.from_address, deposit.to_address, deposit.units, deposit.amount, deposit.currency];
  const is = [transfer.from, transfer.to, transfer.units.toString(), amount, token.currency];
  const wrong = said.findIndex((each, index) => each !== is[index]);
  return wrong < 0 ? undefined : `its row says ${said[wrong] ?? 'nothing'}, and the chain ${is[wrong]}`;
}
