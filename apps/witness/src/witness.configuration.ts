import { parseTrustedKey, TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { bytes, filePath, hostName, listOf, Setting, wholeNumber } from '@stablecoin/service-host/setting';

export interface TrustedLog {
  /** `CHECKPOINT_ORIGIN` of the ledger: the logs of its shards are named after it. */
  ledger: string;
  key: TrustedKey;
}

const LOGS_MAX = 100;

export class WitnessConfiguration {
  @Setting({
    env: 'WITNESS_NAME',
    describe: 'How this witness is called in its cosignatures: a name that no other has, and that never changes.',
    example: 'witness.example.com',
    read: witnessName,
  })
  name: string;

  @Setting({
    env: 'WITNESS_KEY',
    describe: 'The private key (Ed25519) that cosigns, and signs nothing else. Its public key is printed at the start.',
    example: '32 random bytes, from: openssl rand -base64 32',
    read: bytes(32, 'base64'),
    secret: true,
  })
  key: Buffer;

  @Setting({
    env: 'WITNESS_DIRECTORY',
    describe:
      'Where what was seen is kept, in files to which only lines are added. Out of reach of those who run the ledger.',
    example: '/var/lib/witness',
    read: filePath,
  })
  directory: string;

  @Setting({
    env: 'WITNESS_LOGS',
    describe: 'Whose logs it takes: CHECKPOINT_ORIGIN of a ledger and its public key; once for each key.',
    example: 'ledger.example.com=JmG2bIOFZ8Q1V8mkLxDW0VQqEHX1kXfm2VFvKwJ0eY4=',
    read: listOf(trustedLog, LOGS_MAX),
  })
  logs: TrustedLog[];

  @Setting({
    env: 'WITNESS_HOST',
    describe: 'The address that it listens on.',
    example: '0.0.0.0',
    read: hostName,
    default: '127.0.0.1',
  })
  host: string;

  @Setting({
    env: 'WITNESS_PORT',
    describe: 'The port that it listens on; 0 for any that is free.',
    example: '8080',
    read: wholeNumber(0, 65_535),
    default: 8080,
  })
  port: number;
}

function witnessName(value: string): string {
  if (/^[a-z0-9][a-z0-9./-]{0,99}$/.test(value)) return value;
  throw new Error('lower-case letters, digits, dots, slashes and hyphens, at most 100');
}

function trustedLog(text: string): TrustedLog {
  const [, ledger = '', encoded = ''] = /^([a-z0-9][a-z0-9./-]{0,99})=(\S+)$/.exec(text) ?? [];
  const key = parseTrustedKey(encoded);
  if (!key) throw new Error('name=key, by commas: what CHECKPOINT_ORIGIN says, and 32 bytes in base64');
  return { ledger, key };
}
