import { Injectable } from '@nestjs/common';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { getPrice } from '@stablecoin/contracts/swap/get-price';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { Currency } from '@stablecoin/money/currency';
import { ExpiringCache } from '@stablecoin/messaging/expiring-cache';

const AGE_MS_MAX = 5_000;
const PAIRS_MAX = 100;

/** Current prices for test or live merchants, kept as long as their source allows and at most five seconds. */
@Injectable()
export class Prices {
  private readonly prices = new ExpiringCache<string>({
    entriesMax: PAIRS_MAX,
    join: (asking) => this.bus.join(getPrice, asking),
  });

  constructor(private readonly bus: BusClient) {}

  get(from: Currency, to: Currency, key_mode: KeyMode): Promise<string> {
    return this.prices.get(`${from}/${to}/${key_mode}`, async () => {
      const { price, valid_until } = await this.bus.call(getPrice, { from_currency: from, to_currency: to, key_mode });
      return { value: price, ttlMs: Math.min(AGE_MS_MAX, Date.parse(valid_until) - Date.now()) };
    });
  }
}
