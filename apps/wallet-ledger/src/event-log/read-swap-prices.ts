import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { READ_BACK_EVENTS, RecordedSwaps, SwapPrices, SwapPriceSettings } from '@stablecoin/ledger-domain/swap-prices';
import { Sql } from '@stablecoin/persistence/sql';

/** What an owner of the shard remembers of the swaps before it. @returns undefined where no price is bounded */
export async function readSwapPrices(
  sql: Sql,
  shard: number,
  position: number,
  settings: SwapPriceSettings | undefined,
): Promise<SwapPrices | undefined> {
  if (!settings) return undefined;
  const rows = await sql.$queryRaw<{ body: string }[]>`
    SELECT body FROM ledger_events
    WHERE shard = ${shard} AND position > ${position - READ_BACK_EVENTS}
      AND body LIKE '%"movement":"swap-accepted"%' AND body LIKE '%"opens":{%'
    ORDER BY position`;
  const prices = new SwapPrices(settings);
  const swaps = new RecordedSwaps();
  for (const { body } of rows) {
    const swap = swaps.follow(JSON.parse(body) as RecordedEvent);
    if (swap) prices.remember(swap);
  }
  return prices;
}
