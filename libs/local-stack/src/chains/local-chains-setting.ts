import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '../paths';
import { findAnvil, requireAnvil } from './anvil-binary';

/**
 * The program that a stack with these settings runs as its own EVM chains. LOCAL_CHAINS=true asks for them, false does without;
 * by default there are chains where there is anvil, which Foundry has no package of for some platforms.
 *
 * @param tell says that chains are left out
 * @returns undefined without chains
 */
export function anvilOfStack(env: NodeJS.ProcessEnv, tell: (text: string) => void, root = ROOT): string | undefined {
  switch (env['LOCAL_CHAINS'] || undefined) {
    case 'false':
      return undefined;
    case 'true':
      return requireAnvil(env, root);
    case undefined: {
      const found = findAnvil(env, root);
      if (found === undefined) tell(LEFT_OUT);
      return found;
    }
    default:
      throw new OperatorError(`LOCAL_CHAINS must be true or false, not "${env['LOCAL_CHAINS']}".`);
  }
}

const LEFT_OUT = `  No local chains: there is no anvil for ${process.platform}-${process.arch} (npm start -- --chains says how to get one)`;
