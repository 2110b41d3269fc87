/**
 * Where all schedules of a run take place, one after the other: Postgres, a broker, a chain with a proxy for each of its two
 * nodes, and the services as processes. Nothing is started anew between schedules but what a schedule has killed.
 */
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { commandKeyName } from '@stablecoin/local-stack/command-keys';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHAINS, type EvmNetwork } from '@stablecoin/chains/chains';
import { step } from '@stablecoin/command-line/terminal';
import { hotWalletAddress } from '@stablecoin/local-stack/chains/accounts';
import {
  commandLineEnvironment,
  serviceEnvironments,
  signerEnvironment,
  withoutAnyStack,
} from '@stablecoin/local-stack/environment';
import { dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { startPostgres } from '@stablecoin/local-stack/postgres';
import { loadSecrets } from '@stablecoin/local-stack/secrets';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { allowLogins, DATABASES, databaseUrls } from '@stablecoin/migrations/databases';
import { migrate } from '@stablecoin/migrations/migrations';
import { startChain, type TestChain } from '@stablecoin/testing/chain';
import { NodeFaultProxy } from '@stablecoin/testing/node-fault-proxy';
import { planting } from '@stablecoin/testing/planting';
import { PLANTED_BUGS, type PlantedBug } from '../planted/planted-bugs';
import { Broker } from './broker';
import { Databases } from './databases';
import { Payers } from './payers';
import { TrialServices } from './services';

const SETTINGS = {
  LOG_LEVEL: 'log',
  LEDGER_SHARDS: '1',
  CHAIN_POLL_MS: '100',
  /** Blocks come when the trial makes them: soon, or the schedule is over before anything was replaced. */
  CHAIN_REPLACE_AFTER_MS: '2000',
  OPERATIONS_PORT: '0',
  /** What is signed and stated is soon what there is: an audit of holdings waits for it. */
  CHECKPOINT_INTERVAL_MS: '1000',
  LIABILITIES_INTERVAL_MS: '5000',
  /** The merchant is a live one, and the trial is of chains: nothing is listed. */
  SCREENING_REQUIRED_FOR_LIVE: 'false',
};
/** A run of thousands of schedules must not reach them. */
const CAPS = (network: EvmNetwork) => ({
  SIGNER_PAYOUT_CAPS: `${network}:USDT=1000000/1000000000, ${network}:USDC=1000000/1000000000`,
  SIGNER_FEE_CAPS: `${network}=1/1000000`,
  SIGNER_FEE_PER_GAS_CAPS: `${network}=5000`,
});

export interface Ground {
  network: EvmNetwork;
  chain: TestChain;
  /** Two nodes of the chain, as far as the chain service can tell. */
  nodes: readonly [NodeFaultProxy, NodeFaultProxy];
  payers: Payers;
  /** The hot wallet, in lower case. */
  hot: `0x${string}`;
  broker: Broker;
  services: TrialServices;
  databases: Databases;
  bus: BusClient;
  /** Of operators' commands. */
  commandLine: NodeJS.ProcessEnv;
  /** Opens the keys of owners. */
  personalDataKey: Buffer;
}

export interface GroundRequest {
  folder: string;
  network: EvmNetwork;
  seed: number;
  /** A bug that the services are to have. */
  planted?: PlantedBug;
}

/** @param undo receives the function that stops each part, in the order of the starts */
export async function startGround(request: GroundRequest, undo: (() => Promise<unknown>)[]): Promise<Ground> {
  const { folder, network, seed, planted } = request;
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  const paths = dataPaths(join(folder, 'data'));
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const hot = hotWalletAddress(secrets.DEPOSIT_SEED);
  const { postgres, broker } = await step('Postgres and NATS', async () => {
    const server = await startPostgres(paths, secrets);
    undo.push(() => server.stop());
    const started = await Broker.start(paths, secrets);
    undo.push(() => started.stop());
    return { postgres: server, broker: started };
  });
  const chain = await step(CHAINS[network].name, async () =>
    startChain({ network, blocks: 'ordered', hotWallet: hot }),
  );
  undo.push(() => chain.stop());
  const nodes = [
    await NodeFaultProxy.inFrontOf(chain.rpcUrl, { seed }),
    await NodeFaultProxy.inFrontOf(chain.rpcUrl, { seed: seed + 1 }),
  ] as const;
  undo.push(() => Promise.all(nodes.map((node) => node.close())));
  const payers = await step('Payers', () => Payers.on(chain));
  const urls = databaseUrls({}, postgres, secrets);
  await step('Databases', async () => {
    await Promise.all(DATABASES.map((name) => migrate({ name, url: urls[name].owner })));
    await allowLogins(postgres, secrets, DATABASES);
  });
  const databases = new Databases(urls);
  undo.push(() => databases.close());
  const rpc = { [`CHAIN_RPC_${network.toUpperCase()}`]: nodes.map(({ url }) => url).join() };
  const rail = { [`PAYOUT_RAIL_${network.toUpperCase()}`]: 'evm' };
  const bug = planting(planted === undefined ? [] : PLANTED_BUGS[planted]);
  const env = { ...withoutAnyStack(process.env), ...SETTINGS, ...CAPS(network), ...rpc, ...rail, ...bug };
  const parts = { env, secrets, natsUrl: broker.url, urls };
  const { chain: watcher = {}, ...others } = serviceEnvironments({ ...parts, port: 0 });
  const journalDirectory = join(paths.dataDir, 'signer');
  mkdirSync(journalDirectory, { mode: 0o700 });
  const environments = {
    customer: others.customer,
    'wallet-ledger': others['wallet-ledger'],
    signer: signerEnvironment({ ...parts, journalDirectory }),
    chain: watcher,
    payout: others.payout,
  };
  const services = await step('Services', () => TrialServices.start({ environments, logs: paths.logs }));
  undo.push(() => services.stop());
  const connection = await connectToBus(broker.url, 'trial');
  undo.push(() => connection.close());
  // Wallets are opened and payouts held as the gateway has it done.
  const gateway = new CallerSecret('gateway', Buffer.from(secrets[commandKeyName('gateway')] ?? '', 'base64'));
  const bus = new BusClient(connection, new SealedCodec(Buffer.from(secrets.BUS_KEY, 'base64')), gateway);
  const commandLine = { ...process.env, ...commandLineEnvironment(parts), ...rpc, SOLVENCY_HOT_WALLETS: hot };
  const personalDataKey = Buffer.from(secrets.PERSONAL_DATA_KEY, 'base64');
  const owned = { broker, services, databases, bus, commandLine, personalDataKey };
  return { network, chain, nodes, payers, hot: hot.toLowerCase() as `0x${string}`, ...owned };
}
