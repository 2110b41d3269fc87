import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { DepositAddressBook } from '../deposit-addresses/deposit-address-book';
import { LedgerShards } from '../shards/ledger-shards';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { OwnServers } from './own-servers';

export const DEPOSIT_SEED = Buffer.alloc(64, 1);

/** The part of a ledger instance that holds shards: it takes them once the spec bootstraps it. */
export interface Instance {
  shards: LedgerShards;
  server: BusServer;
  addresses: DepositAddressBook;
}

/** Any number of instances of one ledger, on a spec's own servers. */
export class RunningShards {
  readonly codec = new SealedCodec(Buffer.alloc(32, 4));
  private readonly instances: LedgerShards[] = [];

  private constructor(readonly servers: OwnServers) {}

  static async start(): Promise<RunningShards> {
    return new RunningShards(await OwnServers.start());
  }

  /** @param database another connection to the same database, for a spec that breaks it */
  async newInstance(
    settings: Pick<WalletLedgerConfiguration, 'shards' | 'checkpointIntervalMs'> &
      Partial<Pick<WalletLedgerConfiguration, 'checkpointMemoryDirectory' | 'checkpointAcceptsUnsigned'>> &
      Partial<Pick<WalletLedgerConfiguration, 'checkpointWitnesses'>> &
      Partial<Pick<WalletLedgerConfiguration, 'depositSeed' | 'depositEvmParent'>>,
    database = this.servers.database,
  ): Promise<Instance> {
    const configuration = Object.assign(new WalletLedgerConfiguration(), {
      depositSeed: DEPOSIT_SEED,
      checkpointSigningKey: Buffer.alloc(32, 2),
      checkpointOrigin: 'ledger.test',
      checkpointWitnesses: [],
      ...settings,
    });
    const connection = await this.servers.connect();
    const server = new BusServer(connection, this.codec, 'wallet-ledger');
    const addresses = new DepositAddressBook(configuration, database);
    const shards = new LedgerShards(configuration, database, database, addresses, server, connection, this.codec);
    this.instances.push(shards);
    return { shards, server, addresses };
  }

  async stopInstances(): Promise<void> {
    await Promise.all(this.instances.splice(0).map((instance) => instance.beforeApplicationShutdown()));
  }

  async stop(): Promise<void> {
    await this.stopInstances();
    await this.servers.stop();
  }
}
