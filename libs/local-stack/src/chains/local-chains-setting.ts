import { OperatorError } from '@stablecoin/command-line/operator-error';

/** Until payouts go by chains as well as deposits, a stack has them only where LOCAL_CHAINS asks for them. */
const BY_DEFAULT: 'true' | 'false' = 'false';

/** Whether a stack with these settings starts its own EVM chains. */
export function wantsLocalChains(env: NodeJS.ProcessEnv): boolean {
  const wanted = env['LOCAL_CHAINS'] || BY_DEFAULT;
  if (wanted !== 'true' && wanted !== 'false')
    throw new OperatorError(`LOCAL_CHAINS must be true or false, not "${wanted}".`);
  return wanted === 'true';
}
