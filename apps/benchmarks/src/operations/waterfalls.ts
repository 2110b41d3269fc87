/** The waterfall of each operation, on a stack of its own: only one that is traced tells it, and tracing costs time. */
import { setTimeout as delay } from 'node:timers/promises';
import { startThrowAwayStack } from '@stablecoin/local-stack/throw-away-stack';
import { MerchantClient } from '@stablecoin/testing/merchant-client';
import { SpanReceiver } from '@stablecoin/testing/span-receiver';
import { openAccounts, times } from './accounts';
import { type Step, waterfallOf } from './measuring/waterfall';
import type { OperationKind, OperationName } from './operation-kinds';

/** Cold code would be most of what is seen. */
const WARM_UP = 500;
const SEEN = 15;
const PAUSE_MS = 50;
/** Spans are sent every few seconds. */
const SENT_WITHIN_MS = 7_000;

/** The requests that an operation takes, as their spans are named. */
const ROOTS: Readonly<Record<OperationName, readonly string[]>> = {
  payout: ['POST /api/payouts/wallets'],
  swap: ['POST /api/instant-swaps', 'POST /api/swaps'],
  deposit: ['POST /api/sandbox/deposits'],
  wallet_read: ['GET /api/wallets/{wallet_id}'],
  transaction_list: ['GET /api/transactions'],
  webhook_delivery: [],
};

export async function waterfalls(kinds: readonly OperationKind[]): Promise<Map<OperationName, Step[][]>> {
  const receiver = new SpanReceiver();
  const endpoint = await receiver.listen();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: '1' };
  const stack = await startThrowAwayStack({ env, shown: false });
  const { base_url: baseUrl = '', api_key: apiKey } = stack.description;
  const service = new MerchantClient({ baseUrl, apiKey });
  try {
    const account = await openAccounts(service);
    for (const { send } of kinds) if (send) await times(WARM_UP, () => send(service, account));
    await delay(SENT_WITHIN_MS);
    receiver.spans.length = 0;
    for (const { send } of kinds) {
      for (let turn = 0; send && turn < SEEN; turn += 1) {
        await send(service, account);
        await delay(PAUSE_MS);
      }
    }
    await delay(SENT_WITHIN_MS);
  } finally {
    await stack.stop();
    await receiver.close();
  }
  const found = ({ name }: OperationKind) => ROOTS[name].map((root) => waterfallOf(receiver.spans, root));
  return new Map(kinds.map((kind) => [kind.name, found(kind)]));
}
