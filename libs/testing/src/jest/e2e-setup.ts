// Before the journeys: the whole stack as npm start runs it, five real processes, on a free port. TEST_STACK holds what
// it says of itself (base_url, api_key, owner_databases, …); npm test sets it where the journeys are to run against a stack
// that runs already (npm run dev).

import { startThrowAwayStack } from '@stablecoin/local-stack/throw-away-stack';
import { keepStack } from './run-stack';

export default async function setup(): Promise<void> {
  if (process.env['TEST_STACK']) return;
  const env = {
    OPERATIONS_PORT: '0',
    SANDBOX_SETTLE_MS: '300',
    CHECKPOINT_INTERVAL_MS: '1000',
    LIABILITIES_INTERVAL_MS: '1000',
  };
  const stack = keepStack('e2e', await startThrowAwayStack({ env }));
  process.env['TEST_STACK'] = JSON.stringify(stack.description);
}
