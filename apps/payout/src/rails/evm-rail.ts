import { Injectable } from '@nestjs/common';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES, TokenCurrency } from '@stablecoin/chains/tokens';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { submitTransfer } from '@stablecoin/contracts/chain/submit-transfer';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Currency } from '@stablecoin/money/currency';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { NextLook } from './next-look';
import { KnownStatus, PayoutRail, RailPayout, RailStatus } from './payout-rail';

/** USDT and USDC on EVM chains, sent by the service `chain` from the hot wallet. What is final there is not returned. */
@Injectable()
export class EvmRail extends PayoutRail {
  private readonly nextLook = new NextLook();

  constructor(
    private readonly bus: BusClient,
    private readonly secret: CallerSecret,
  ) {
    super();
  }

  async submit({ reference, network, currency, amount, destination, isLive }: RailPayout): Promise<KnownStatus> {
    if (network === null || !isEvmNetwork(network) || !isToken(currency) || destination.kind !== 'wallet')
      throw new Error(`${reference} can't go over a chain: ${currency}, ${network}, to a ${destination.kind}`);
    const mode = isLive ? ('live' as const) : ('test' as const);
    const order = { reference, network, currency, amount };
    const signed = signEvidence(this.secret, {
      type: 'transfer-order',
      ...{ ...order, to: destination.address.toLowerCase() },
    });
    const signature = { order: signed.text, order_signature: signed.signature };
    return this.statusOf(
      await this.bus.call(submitTransfer, { ...order, to: destination.address, mode, ...signature }),
    );
  }

  async lookUp(reference: string): Promise<RailStatus> {
    try {
      return this.statusOf(await this.bus.call(lookUpTransfer, { reference }));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return { state: 'unknown' };
      throw error;
    }
  }

  private statusOf({ state, network, transaction_hash, created_at, updated_at }: TransferView): KnownStatus {
    const orderedAt = new Date(created_at);
    switch (state) {
      case 'waiting':
      case 'sent': {
        const nextLook = this.nextLook.after(network, orderedAt);
        return { state: 'pending', railReference: transaction_hash, nextLook };
      }
      case 'completed':
        this.nextLook.learn(network, orderedAt, new Date(updated_at));
        return { state, railReference: transaction_hash, nextLook: null };
      case 'failed':
        return { state, railReference: transaction_hash, nextLook: null };
    }
  }
}

const isToken = (currency: Currency): currency is TokenCurrency =>
  (TOKEN_CURRENCIES as readonly Currency[]).includes(currency);
