import { Injectable } from '@nestjs/common';
import { isEvmNetwork } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES, TokenCurrency } from '@stablecoin/chains/tokens';
import { lookUpTransfer } from '@stablecoin/contracts/chain/look-up-transfer';
import { submitTransfer } from '@stablecoin/contracts/chain/submit-transfer';
import { TransferView } from '@stablecoin/contracts/chain/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Currency } from '@stablecoin/money/currency';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { KnownStatus, PayoutRail, RailPayout, RailStatus } from './payout-rail';

const FIRST_LOOK_MS = 500;
const LOOKS_EVERY_MS_MAX = 10_000;
/** Of the time since it was ordered: the end is seen that much later at the most, and a slow chain costs few questions. */
const SHARE_OF_AGE = 1 / 4;

/** USDT and USDC on EVM chains, sent by the service `chain` from the hot wallet. What is final there is not returned. */
@Injectable()
export class EvmRail extends PayoutRail {
  constructor(private readonly bus: BusClient) {
    super();
  }

  async submit({ reference, network, currency, amount, destination, isLive }: RailPayout): Promise<KnownStatus> {
    if (network === null || !isEvmNetwork(network) || !isToken(currency) || destination.kind !== 'wallet')
      throw new Error(`${reference} can't go over a chain: ${currency}, ${network}, to a ${destination.kind}`);
    const mode = isLive ? ('live' as const) : ('test' as const);
    const order = { reference, network, currency, to: destination.address, amount, mode };
    return statusOf(await this.bus.call(submitTransfer, order));
  }

  async lookUp(reference: string): Promise<RailStatus> {
    try {
      return statusOf(await this.bus.call(lookUpTransfer, { reference }));
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return { state: 'unknown' };
      throw error;
    }
  }
}

function statusOf({ state, transaction_hash, created_at }: TransferView): KnownStatus {
  switch (state) {
    case 'waiting':
    case 'sent':
      return { state: 'pending', railReference: transaction_hash, nextLook: nextLookAfter(new Date(created_at)) };
    case 'completed':
    case 'failed':
      return { state, railReference: transaction_hash, nextLook: null };
  }
}

function nextLookAfter(ordered: Date, now = Date.now()): Date {
  const afterMs = (now - ordered.getTime()) * SHARE_OF_AGE;
  return new Date(now + Math.min(Math.max(afterMs, FIRST_LOOK_MS), LOOKS_EVERY_MS_MAX));
}

const isToken = (currency: Currency): currency is TokenCurrency =>
  (TOKEN_CURRENCIES as readonly Currency[]).includes(currency);
