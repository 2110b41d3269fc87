import { NO_CALLER_KEYS } from '@stablecoin/command-proofs/caller-keys';
import { DEFAULT_USD_PRICES } from '@stablecoin/money/usd-prices';
import { CallerCheck } from '@stablecoin/messaging/caller-check';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { callerRules } from '../callers/caller-rules';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerDatabases } from '../databases/ledger-databases';
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
  evidence: CommandEvidence;
}

type CommandSettings = Pick<
  WalletLedgerConfiguration,
  | 'commandCallerKeys'
  | 'commandEvidenceKeys'
  | 'commandsAcceptedUnsigned'
  | 'swapPriceBand'
  | 'swapPriceBandHours'
  | 'swapBookBand'
  | 'swapLossPerHour'
  | 'staticRatesForLive'
  | 'sandboxRailForLive'
>;

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
      Partial<Pick<WalletLedgerConfiguration, 'depositSeed' | 'depositEvmParent'>> &
      Partial<CommandSettings>,
    database: LedgerDatabase | LedgerDatabases = this.servers.database,
  ): Promise<Instance> {
    const databases = database instanceof LedgerDatabases ? database : LedgerDatabases.only(database);
    const configuration = Object.assign(new WalletLedgerConfiguration(), {
      depositSeed: DEPOSIT_SEED,
      checkpointSigningKey: Buffer.alloc(32, 2),
      checkpointOrigin: 'ledger.test',
      // Most specs are about other things; forged-commands.int.spec.ts is about who asks.
      commandsAcceptedUnsigned: true,
      commandEvidenceKeys: NO_CALLER_KEYS,
      swapPriceBand: 0,
      swapPriceBands: new Map(),
      usdPrices: DEFAULT_USD_PRICES,
      swapBookBand: 0,
      swapLossPerHour: 0,
      checkpointWitnesses: [],
      ...settings,
    });
    const connection = await this.servers.connect();
    const callers = settings.commandCallerKeys && new CallerCheck(callerRules(configuration));
    const server = new BusServer(connection, this.codec, 'wallet-ledger', { callers });
    const addresses = new DepositAddressBook(configuration, databases);
    const shards = new LedgerShards(configuration, databases, addresses, server, connection, this.codec);
    this.instances.push(shards);
    const evidence = new CommandEvidence(configuration, databases);
    return { shards, server, addresses, evidence };
  }

  async stopInstances(): Promise<void> {
    await Promise.all(this.instances.splice(0).map((instance) => instance.beforeApplicationShutdown()));
  }

  async stop(): Promise<void> {
    await this.stopInstances();
    await this.servers.stop();
  }
}
