import { Logger } from '@nestjs/common';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { isNodeFailure } from '@stablecoin/chain-node/node-failure';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { tokenOf } from '@stablecoin/chains/tokens';
import { toUnits } from '@stablecoin/chains/units';
import { isUnpayable } from '@stablecoin/chains/unpayable-addresses';
import { SubmitTransfer, submitTransfer } from '@stablecoin/contracts/chain/submit-transfer';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { TOO_MANY_DECIMALS } from '@stablecoin/contracts/wire/fields/amount';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { ChainNodes } from '../nodes/chain-nodes';
import { RealChain, requireWorthlessChain } from '../nodes/worthless-chains';
import { OurKeys } from './our-keys';
import { Sender } from './sender';
import { OtherTerms, OutgoingTransfer, TransferOrder } from './transfer';
import { TransferStore } from './transfer-store';
import { TransferViews } from './transfer-views';

@Handles(submitTransfer)
export class SubmitTransferHandler {
  private readonly log = new Logger(SubmitTransferHandler.name);
  private readonly worthless = new Set<EvmNetwork>();

  constructor(
    private readonly nodes: ChainNodes,
    private readonly keys: OurKeys,
    private readonly store: TransferStore,
    private readonly sender: Sender,
    private readonly views: TransferViews,
  ) {}

  async execute(request: SubmitTransfer): Promise<TransferView> {
    const { network, reference, mode } = request;
    if (!this.nodes.networks.includes(network)) throw new Refusal('rail_unavailable');
    return asRefusal(async () => {
      if (mode === 'test' && !this.worthless.has(network) && !(await this.store.find(reference)))
        await this.requireWorthless(network);
      const transfer = await this.order(request);
      this.sender.wake(network);
      return this.views.ofOne(transfer);
    });
  }

  private async order(request: SubmitTransfer): Promise<OutgoingTransfer> {
    const { reference, network, currency, order: text, order_signature: signature } = request;
    const toAddress = request.to.toLowerCase() as Hex;
    const order: TransferOrder = {
      ...{ reference, network, kind: 'payout', from: { kind: 'hot' }, toAddress, currency },
      units: unitsOf(request),
      fromAddress: await this.keys.hot(network),
      ...(text && signature && { signedOrder: { text, signature } }),
    };
    const isOurs = toAddress === order.fromAddress || toAddress === (await this.keys.cold());
    try {
      return await this.store.order(order, isOurs || isUnpayable(toAddress) ? 'unpayable_address' : null);
    } catch (error) {
      if (error instanceof OtherTerms) throw new Refusal('invalid_transition');
      throw error;
    }
  }

  /** What a test merchant has was given away. @throws Refusal `rail_unavailable` */
  private async requireWorthless(network: EvmNetwork): Promise<void> {
    try {
      await Promise.all(this.nodes.of(network).map((node) => requireWorthlessChain(node, network)));
    } catch (error) {
      if (isNodeFailure(error)) throw new Refusal('unavailable');
      if (!(error instanceof RealChain)) throw error;
      this.log.error(`${network}: ${error.message}`);
      throw new Refusal('rail_unavailable');
    }
    this.worthless.add(network);
  }
}

function unitsOf({ network, currency, amount }: SubmitTransfer): bigint {
  const token = tokenOf(network, currency);
  if (!token) throw new Refusal('rail_unavailable');
  try {
    return toUnits(token, amount);
  } catch (error) {
    if (error instanceof RangeError) throw Refusal.ofField('amount', TOO_MANY_DECIMALS, 'is finer than the token');
    throw error;
  }
}
