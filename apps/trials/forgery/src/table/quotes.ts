/** What a login of swap-pricing's database makes of quotes. */
import { dataOf, successOf } from '@stablecoin/testing/merchant-client';
import type { Evidence } from '../judging/expectation';
import { refusedBy } from '../judging/expectation';
import type { Site } from '../ground/site';
import { does } from './lines';

const SWAP = { from_currency: 'USDT', to_currency: 'NGN' };

/** Of an amount that no other line has quoted. */
async function changesQuote(
  { databases, people: { mallory } }: Site,
  amount: string,
  assignments: string,
): Promise<Evidence> {
  const quoted = { ...SWAP, customer_id: mallory.customerId, amount };
  await successOf(mallory.client.post('/instant-swaps', quoted));
  await databases.swap.as('swap_app', [
    `UPDATE quotes SET ${assignments} WHERE state = 'open' AND from_amount = ${amount}`,
  ]);
  const { status, body, text } = await mallory.client.post('/swaps', quoted);
  if (status < 300) return { became: 'unseen', what: text };
  return { became: 'refused', by: 'the gateway', error: `${status} ${body.code ?? ''}` };
}

export const QUOTES_RAISED = [
  does(
    'raises what an open quote gives, and has an accomplice execute it',
    'running',
    refusedBy('the gateway', 'quote_expired'),
    (site) => changesQuote(site, '3', 'to_amount = to_amount * 1000000, quoted_price = quoted_price * 1000000'),
  ),
  does(
    'raises it by no more than prices move, and has it never expire',
    'running',
    refusedBy('the gateway', 'quote_expired'),
    (site) =>
      changesQuote(
        site,
        '3.5',
        `to_amount = trunc(from_amount * trunc(quoted_price * 1.1, 6), 2), quoted_price = trunc(quoted_price * 1.1, 6),
         expires_at = '2999-01-01'`,
      ),
  ),
] as const;

export const opensAQuoteAgain = does(
  'opens a quote again that was used, and has an accomplice execute it once more',
  'running',
  refusedBy('the ledger', 'taken once'),
  async ({ databases, people: { mallory } }) => {
    const quoted = { ...SWAP, customer_id: mallory.customerId, amount: '4' };
    await successOf(mallory.client.post('/instant-swaps', quoted));
    await successOf(mallory.client.post('/swaps', quoted));
    const balance = async () =>
      (await dataOf(mallory.client.get<{ balance: string }>(`/wallets/${mallory.walletId}`))).balance;
    const before = await balance();
    await databases.swap.as('swap_app', [
      `UPDATE quotes SET state = 'open', claim_command_id = NULL, claim_input_hash = NULL, claim_shard = NULL,
         running_until = NULL WHERE state = 'used' AND from_amount = 4`,
    ]);
    const { status, text } = await mallory.client.post('/swaps', quoted);
    const after = await balance();
    if (after !== before) return { became: 'unseen', what: `${before} became ${after}: ${text}` };
    return { became: 'refused', by: 'the ledger', error: `taken once: the second was answered ${status}` };
  },
);
