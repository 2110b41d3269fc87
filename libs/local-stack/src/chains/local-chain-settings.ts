// The services' settings where a stack has chains of its own: whose nodes they ask, by which rail money comes and goes, how
// soon it is final, and how much the signer lets go. What the user sets wins.

import type { EvmNetwork } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES } from '@stablecoin/chains/tokens';
import { secretFrom } from '@stablecoin/command-line/secret-files';
import type { ChainDescription } from '../description';

/** A deposit is spendable two or three seconds after it was sent; blocks come once a second. */
const CONFIRMATIONS = '2';
const POLL_MS = '500';
/** Per transaction / per 24 hours: more than the hot wallet is given, so that a developer meets no cap. */
const CAPS = '1000000/1000000000';
const FEE_PER_GAS_GWEI = '10000';

type OwnChain = Pick<ChainDescription, 'network' | 'rpc_url' | 'faucet_private_key'>;

/** @param chains the stack's own; without any there are no settings */
export function localChainSettings(env: NodeJS.ProcessEnv, chains: readonly OwnChain[]): NodeJS.ProcessEnv {
  // A user who names a node has other plans with that network.
  const own = chains.filter(({ network }) => secretFrom(env, nodesOf(network)) === undefined);
  if (own.length === 0) return {};
  const ofNetworks = own.flatMap(({ network, rpc_url }) => Object.entries(networkSettings(network, rpc_url)));
  const settings = {
    ...(Object.fromEntries(ofNetworks) as Record<string, string>),
    ...capsOf(own.map(({ network }) => network)),
    CHAIN_POLL_MS: POLL_MS,
    ...(own.length === chains.length && testMoneySettings(own)),
  };
  return Object.fromEntries(Object.entries(settings).filter(([name]) => secretFrom(env, name) === undefined));
}

/** Of these, the nodes alone: what a command line that looks at the chains needs. */
export const nodeSettings = (env: NodeJS.ProcessEnv, chains: readonly OwnChain[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(localChainSettings(env, chains)).filter(([name]) => name.startsWith('CHAIN_RPC_')));

/** With what an audit of holdings knows the addresses of these chains that are ours beside those of deposits. */
export function walletSettings(
  env: NodeJS.ProcessEnv,
  chains: readonly Pick<ChainDescription, 'hot_wallet'>[],
): Record<string, string> {
  const hot = [...new Set(chains.map(({ hot_wallet }) => hot_wallet))];
  const cold = env['SIGNER_COLD_ADDRESS'];
  return {
    ...(hot.length > 0 && { SOLVENCY_HOT_WALLETS: hot.join() }),
    ...(cold && { SOLVENCY_COLD_WALLETS: cold }),
  };
}

const nodesOf = (network: EvmNetwork) => `CHAIN_RPC_${network.toUpperCase()}`;

const networkSettings = (network: EvmNetwork, url: string): Record<string, string> => ({
  [nodesOf(network)]: url,
  [`CHAIN_FINALITY_${network.toUpperCase()}`]: CONFIRMATIONS,
  [`PAYOUT_RAIL_${network.toUpperCase()}`]: 'evm',
  // No explorer of the world knows what is on a chain of this machine.
  [`EXPLORER_URL_${network.toUpperCase()}`]: 'none',
});

/**
 * Test merchants, who deposit as much as they like, go by chains: only where none of the chains has coins of any worth, as
 * these settings are not by network.
 */
const testMoneySettings = ([chain]: readonly OwnChain[]) => ({
  EVM_RAIL_FOR_TEST: 'true',
  CHAIN_FAUCET_KEY: chain?.faucet_private_key,
});

function capsOf(networks: readonly EvmNetwork[]) {
  const ofEach = (entry: (network: EvmNetwork) => readonly string[]) => networks.flatMap(entry).join(', ');
  return {
    SIGNER_PAYOUT_CAPS: ofEach((network) => TOKEN_CURRENCIES.map((currency) => `${network}:${currency}=${CAPS}`)),
    SIGNER_GAS_CAPS: ofEach((network) => [`${network}=${CAPS}`]),
    SIGNER_FEE_CAPS: ofEach((network) => [`${network}=${CAPS}`]),
    SIGNER_FEE_PER_GAS_CAPS: ofEach((network) => [`${network}=${FEE_PER_GAS_GWEI}`]),
  };
}
