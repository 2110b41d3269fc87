// One chain of the local stack: anvil with what was saved of it, its tokens and funds, and its blocks.

import { join } from 'node:path';
import { CHAINS, type EvmNetwork } from '@stablecoin/chains/chains';
import type { TokenCurrency } from '@stablecoin/chains/tokens';
import { say } from '@stablecoin/command-line/terminal';
import type { ChainDescription } from '../description';
import type { DataPaths } from '../paths';
import { rememberedPort } from '../ports';
import type { Secrets } from '../secrets';
import type { ServerProcess } from '../server-process';
import { type Address, addressOfKey } from './accounts';
import { startAnvil } from './anvil';
import { BlockProducer } from './block-producer';
import { setUpChain, tokensOn } from './chain-set-up';
import { saveChain } from './saved-chain';

export interface LocalChainRequest {
  network: EvmNetwork;
  paths: DataPaths;
  secrets: Pick<Secrets, 'chain_faucet_private_key'>;
  program: string;
  hotWallet: Address;
}

export interface LocalChain extends ServerProcess {
  description: ChainDescription;
}

export const chainLog = (paths: Pick<DataPaths, 'logs'>, network: EvmNetwork) =>
  join(paths.logs, `chain-${network}.log`);

export async function startLocalChain(request: LocalChainRequest): Promise<LocalChain> {
  const { network, paths, secrets, program, hotWallet } = request;
  const { chainId, name } = CHAINS[network];
  const folder = join(paths.chains, network);
  const anvil = await startAnvil({
    ...{ program, chainId, folder, log: chainLog(paths, network) },
    port: () => rememberedPort(paths.ports, `chain-${network}`),
  });
  const producer = new BlockProducer({
    rpc: anvil.rpc,
    save: () => saveChain(anvil.rpc, folder),
    onFailure: (message) => say(`  The local ${name} chain made no block: ${message}`),
  });
  try {
    await setUpChain(anvil.rpc, { network, faucet: addressOfKey(secrets.chain_faucet_private_key), hotWallet });
    await producer.start();
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  anvil.onUnexpectedExit(() => void producer.abandon());
  return {
    ...anvil,
    description: describe(request, anvil.rpc.url),
    stop: async () => {
      await producer.stop().catch((error: unknown) => say(`  The local ${name} chain was not saved: ${String(error)}`));
      return anvil.stop();
    },
  };
}

function describe({ network, secrets, hotWallet }: LocalChainRequest, url: string): ChainDescription {
  const tokens = tokensOn(network).map(({ currency, address, decimals }) => [currency, { address, decimals }]);
  return {
    network,
    chain_id: CHAINS[network].chainId,
    rpc_url: url,
    tokens: Object.fromEntries(tokens) as Record<TokenCurrency, { address: Address; decimals: number }>,
    faucet_private_key: secrets.chain_faucet_private_key,
    hot_wallet: hotWallet,
  };
}
