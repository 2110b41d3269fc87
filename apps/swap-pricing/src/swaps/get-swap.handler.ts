import { GetSwap, getSwap } from '@stablecoin/contracts/swap/get-swap';
import { SwapQuoteView } from '@stablecoin/contracts/swap/views';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { SwapDatabase } from '../persistence/swap-database';
import { QUOTE_COLUMNS, QuoteRow, quoteView } from '../quotes/quote-row';

@Handles(getSwap)
export class GetSwapHandler {
  constructor(private readonly database: SwapDatabase) {}

  async execute(query: GetSwap): Promise<SwapQuoteView> {
    const [row] = await asRefusal(
      () => this.database.$queryRaw<QuoteRow[]>`
        SELECT ${QUOTE_COLUMNS} FROM quotes
        WHERE id = ${query.swap_id}::uuid AND merchant_id = ${query.merchant_id}::uuid`,
    );
    if (!row) throw new Refusal('not_found');
    return quoteView(row);
  }
}
