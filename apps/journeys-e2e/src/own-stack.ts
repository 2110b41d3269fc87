import { startThrowAwayStack, type ThrowAwayStack } from '@stablecoin/local-stack/throw-away-stack';
import type { TestStack } from '@stablecoin/testing/stack';

const DEFAULTS = { OPERATIONS_PORT: '0', SANDBOX_SETTLE_MS: '300' };

export interface OwnStack extends ThrowAwayStack {
  description: TestStack;
}

/** A stack that a spec may break: it shares nothing with the one that the other specs run against. */
export async function startOwnStack(settings: NodeJS.ProcessEnv = {}, { withServices = true } = {}): Promise<OwnStack> {
  const env = { ...DEFAULTS, ...settings };
  return (await startThrowAwayStack({ env, withServices, shown: false })) as OwnStack;
}
