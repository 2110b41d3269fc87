import { GetPrice, Price, getPrice } from '@stablecoin/contracts/swap/get-price';
import { Handles } from '@stablecoin/messaging/handles';
import { RateSource } from './rate-source';

@Handles(getPrice)
export class GetPriceHandler {
  constructor(private readonly rates: RateSource) {}

  async execute({ from_currency: from, to_currency: to, key_mode }: GetPrice): Promise<Price> {
    const book = await this.rates.currentBook(key_mode);
    return { price: from === to ? '1' : book.priceOf(from, to), valid_until: book.validUntil.toISOString() };
  }
}
