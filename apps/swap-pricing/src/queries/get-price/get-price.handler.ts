import { IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { GetPrice, Price } from '@stablecoin/contracts/swap/get-price';
import { RateSource } from '../../rates/rate-source';

@QueryHandler(GetPrice)
export class GetPriceHandler implements IQueryHandler<GetPrice, Price> {
  constructor(private readonly rates: RateSource) {}

  async execute({ from_currency: from, to_currency: to }: GetPrice): Promise<Price> {
    const book = await this.rates.currentBook();
    return { price: from === to ? '1' : book.priceOf(from, to), valid_until: book.validUntil.toISOString() };
  }
}
