import type { HDKey } from '@scure/bip32';
import { CallerKeys, NO_CALLER_KEYS, readCallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { extendedPublicKey } from '@stablecoin/addresses/extended-public-key';
import {
  COMMAND_EVIDENCE_KEYS,
  databasePoolSize,
  databaseUrl,
  furtherLedgerDatabases,
  LEDGER_SHARDS,
  NamedDatabase,
  SANDBOX_RAIL_FOR_LIVE,
  STATIC_RATES_FOR_LIVE,
  SWAP_RATES,
} from '@stablecoin/service-host/repeated-settings';
import { CurrencyPrices } from '@stablecoin/money/usd-prices';
import {
  PriceBands,
  SWAP_BOOK_BAND,
  SWAP_LOSS_PER_HOUR,
  SWAP_PRICE_BAND,
  SWAP_PRICE_BAND_HOURS,
  SWAP_PRICE_BANDS,
} from '@stablecoin/service-host/price-bound-settings';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { bytes, filePath, listOf, oneOf, Setting, wholeNumber } from '@stablecoin/service-host/setting';
import { Witness } from '@stablecoin/witness/witness';
import { witnessAt } from '@stablecoin/witness/witness-address';

const XPUB =
  'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8';

const WITNESSES_MAX = 8;

export class WalletLedgerConfiguration extends ServiceConfiguration {
  @Setting(databaseUrl('ledger', 'The ledger database, as a role that can only add to the log.')) databaseUrl: string;
  @Setting(
    furtherLedgerDatabases(
      'LEDGER_DATABASES',
      'Further databases of the ledger, by name, for shards that were placed there (ADR 0066); the one of LEDGER_DATABASE_URL is home. ' +
        'The same for every instance.',
      'ledger_app',
    ),
  )
  furtherDatabases: NamedDatabase[];

  @Setting({
    ...databasePoolSize(20, 4),
    describe:
      'Connections to each database at the most: half for writers, relays and leases, half for everything that only reads.',
  })
  poolSize: number;

  get readConnections(): number {
    return Math.floor(this.poolSize / 2);
  }

  @Setting(LEDGER_SHARDS) shards: number;

  @Setting({
    env: 'LEDGER_STREAM_REPLICAS',
    describe:
      'How many servers of a NATS cluster keep the stream of facts, once it is made; one that is there stays as it is.',
    example: '3',
    read: wholeNumber(1, 5),
    default: 1,
  })
  streamReplicas: number;

  @Setting<Buffer | null>({
    env: 'DEPOSIT_SEED',
    describe:
      'The seed from which all deposit addresses are derived (BIP-32), unless DEPOSIT_EVM_PARENT is set. Anyone who has it can ' +
      'take the deposits.',
    example: '64 random bytes, from: openssl rand -hex 64 | tr -d "\\n"',
    read: bytes(64, 'hex'),
    default: null,
    secret: true,
  })
  depositSeed: Buffer | null;

  @Setting<HDKey | null>({
    env: 'DEPOSIT_EVM_PARENT',
    describe:
      "In place of DEPOSIT_SEED: the extended public key (xpub) of m/44'/60'/0'/0, as the signer names it. It signs " +
      'nothing.',
    example: XPUB,
    read: extendedPublicKey,
    default: null,
  })
  depositEvmParent: HDKey | null;

  @Setting<HDKey | null>({
    env: 'DEPOSIT_TRON_PARENT',
    describe: "With DEPOSIT_EVM_PARENT: the same of m/44'/195'/0'/0. Without it there are no new addresses on Tron.",
    example: XPUB,
    read: extendedPublicKey,
    default: null,
  })
  depositTronParent: HDKey | null;

  @Setting<string | null>({
    env: 'DEPOSIT_SOLANA_POOL',
    describe:
      'With DEPOSIT_EVM_PARENT: a file of addresses on Solana that the signer has named, one a line, the first of index 0. ' +
      'It can grow. Without it there are no new addresses on Solana.',
    example: '/var/lib/stablecoin/solana-addresses.txt',
    read: filePath,
    default: null,
  })
  depositSolanaPool: string | null;

  @Setting({
    env: 'CHECKPOINT_SIGNING_KEY',
    describe: 'The private key (Ed25519) that signs checkpoints of the log. Anyone who has it can sign another log.',
    example: '32 random bytes, from: openssl rand -base64 32',
    read: bytes(32, 'base64'),
    secret: true,
  })
  checkpointSigningKey: Buffer;

  @Setting({
    env: 'CHECKPOINT_ORIGIN',
    describe: 'How this ledger is called in its checkpoints: a name that no other ledger has, and that never changes.',
    example: 'ledger.example.com',
    read: originName,
    default: 'ledger.localhost',
  })
  checkpointOrigin: string;

  @Setting({
    env: 'CHECKPOINT_INTERVAL_MS',
    describe: 'How long after a checkpoint the next one is made, if the log has grown.',
    example: '60000',
    read: wholeNumber(100, 86_400_000),
    default: 60_000,
  })
  checkpointIntervalMs: number;

  @Setting({
    env: 'LIABILITIES_INTERVAL_MS',
    describe:
      'How long after a statement of liabilities the next one is made, if anything was signed since: a pass over all wallets. ' +
      '0 for none.',
    example: '3600000',
    read: wholeNumber(0, 86_400_000),
    default: 3_600_000,
  })
  liabilitiesIntervalMs: number;

  @Setting({
    env: 'CHECKPOINT_MEMORY_DIRECTORY',
    describe:
      'A directory that outlives the process, not on the server of Postgres, where it remembers what it has signed last: ' +
      'it signs nothing that does not extend that. Set it when every instance signs heads (ADR 23).',
    example: '/var/lib/stablecoin/checkpoints',
    read: filePath,
    default: null,
  })
  checkpointMemoryDirectory: string | null;

  @Setting<Witness[]>({
    env: 'CHECKPOINT_WITNESSES',
    describe:
      'Who is sent every checkpoint, so that a log can not be rewritten behind it (ADR 44): directories that are not on the ' +
      'server of Postgres, and servers of c2sp.org/tlog-witness.',
    example:
      'file:/mnt/elsewhere/witness,https://w.example.com#w.example.com+a527ff85+BEvq3isjNDC5cYuqzs8P4FHLIqILbXmlqfxa2HOI4vc8',
    read: listOf(witnessAt, WITNESSES_MAX),
    default: [],
  })
  checkpointWitnesses: Witness[];

  @Setting({
    env: 'CHECKPOINT_ACCEPTS_UNSIGNED',
    describe:
      'Whether to sign what was appended without a signature of its head. true only while instances of a version that signs ' +
      'no heads run beside this one, and until the first checkpoint after them.',
    example: 'true',
    read: (value) => oneOf('true', 'false')(value) === 'true',
    default: false,
  })
  checkpointAcceptsUnsigned: boolean;

  @Setting<CallerKeys>({
    env: 'COMMAND_CALLER_KEYS',
    describe:
      'By which the ledger knows who asks for a command: of each service the MAC key that is derived from its COMMAND_KEY. A ' +
      'service may be named twice, while its key is changed. Anyone who has a key can ask in its service’s name.',
    example: 'gateway:<32 bytes in base64>,customer:<…>,swap-pricing:<…>,payout:<…>,chain:<…>',
    read: readCallerKeys,
    default: NO_CALLER_KEYS,
    secret: true,
  })
  commandCallerKeys: CallerKeys;

  @Setting(COMMAND_EVIDENCE_KEYS) commandEvidenceKeys: CallerKeys;

  @Setting({
    env: 'COMMANDS_ACCEPTED_UNSIGNED',
    describe:
      'Whether the ledger takes commands that name no caller, or lack their evidence. true only while services of a version that ' +
      'names none run beside it (ADR 42).',
    example: 'true',
    read: (value) => oneOf('true', 'false')(value) === 'true',
    default: false,
  })
  commandsAcceptedUnsigned: boolean;

  @Setting(SANDBOX_RAIL_FOR_LIVE) sandboxRailForLive: boolean;
  @Setting(STATIC_RATES_FOR_LIVE) staticRatesForLive: boolean;

  @Setting(SWAP_PRICE_BAND) swapPriceBand: number;
  @Setting(SWAP_PRICE_BANDS) swapPriceBands: PriceBands;
  @Setting(SWAP_PRICE_BAND_HOURS) swapPriceBandHours: number;
  @Setting(SWAP_RATES) usdPrices: CurrencyPrices;
  @Setting(SWAP_BOOK_BAND) swapBookBand: number;
  @Setting(SWAP_LOSS_PER_HOUR) swapLossPerHour: number;
}

function originName(value: string): string {
  if (/^[a-z0-9][a-z0-9./-]{0,99}$/.test(value)) return value;
  throw new Error('lower-case letters, digits, dots, slashes and hyphens, at most 100');
}
