import { PERSONAL_DATA_PREVIOUS_KEY, PERSONAL_DATA_KEY } from '@stablecoin/service-host/repeated-settings';
import { filePath, oneOf, Setting, urlOf, wholeNumber } from '@stablecoin/service-host/setting';

/** Where the master key of personal data is: of each process that opens or wraps data keys. */
export class KeyWrappingSettings {
  @Setting({
    env: 'PERSONAL_DATA_KEYS',
    describe:
      'Where the master key is with which data keys are wrapped: PERSONAL_DATA_KEY, or a key management service (Vault’s Transit ' +
      'engine, or one that speaks as it does). The same for all services that have it.',
    example: 'settings',
    read: oneOf('settings', 'transit'),
    default: 'settings',
  })
  keys: 'settings' | 'transit';

  @Setting<Buffer | null>({
    ...PERSONAL_DATA_KEY,
    describe: `${PERSONAL_DATA_KEY.describe} Not set with PERSONAL_DATA_KEYS=transit, else required.`,
    default: null,
  })
  personalDataKey: Buffer | null;

  @Setting(PERSONAL_DATA_PREVIOUS_KEY) personalDataPreviousKey: Buffer | null;

  @Setting<string | null>({
    env: 'PERSONAL_DATA_TRANSIT_URL',
    describe:
      'Where the Transit engine is mounted. With PERSONAL_DATA_KEYS=settings it only opens what was wrapped there, while data keys ' +
      'move from one to the other.',
    example: 'https://vault.internal:8200/v1/transit',
    read: urlOf('https:', 'http:'),
    default: null,
  })
  transitUrl: string | null;

  @Setting({
    env: 'PERSONAL_DATA_TRANSIT_KEY',
    describe: 'The name of the key there: of type aes256-gcm96, made beforehand.',
    example: 'personal-data',
    read: keyName,
    default: 'personal-data',
  })
  transitKey: string;

  @Setting<string | null>({
    env: 'PERSONAL_DATA_TRANSIT_TOKEN',
    describe:
      'What it is sent as the bearer token; none where an agent beside the service adds it. Its policy: update on encrypt/<key> and ' +
      'decrypt/<key>, for payout on the latter alone.',
    example: 'a-token-of-vault',
    read: bearerToken,
    default: null,
    secret: true,
  })
  transitToken: string | null;

  @Setting<string | null>({
    env: 'PERSONAL_DATA_TRANSIT_CA_FILE',
    describe: "A file with the certificates, in PEM, that vouch for the service's; else those that Node trusts do.",
    example: '/etc/ssl/vault-ca.pem',
    read: filePath,
    default: null,
  })
  transitCaFile: string | null;

  @Setting<string | null>({
    env: 'PERSONAL_DATA_TRANSIT_CLIENT_CERTIFICATE_FILE',
    describe:
      'A file with the certificate, in PEM, by which it knows this process (mTLS), with the key in the next one.',
    example: '/run/secrets/vault-client.pem',
    read: filePath,
    default: null,
  })
  transitClientCertificateFile: string | null;

  @Setting<string | null>({
    env: 'PERSONAL_DATA_TRANSIT_CLIENT_KEY_FILE',
    describe: 'The private key of that certificate, in PEM.',
    example: '/run/secrets/vault-client-key.pem',
    read: filePath,
    default: null,
  })
  transitClientKeyFile: string | null;

  @Setting({
    env: 'PERSONAL_DATA_TRANSIT_TIMEOUT_MS',
    describe: 'How long it may take for an answer, repeated attempts included, in milliseconds.',
    example: '1000',
    read: wholeNumber(100, 4_000),
    default: 1_000,
  })
  transitTimeoutMs: number;

  @Setting({
    env: 'PERSONAL_DATA_TRANSIT_CACHE_SECONDS',
    describe:
      'How long an opened data key is kept in memory, of the 10,000 that were used last: so long who was just served is served ' +
      'while the service is away. 0 keeps none.',
    example: '300',
    read: wholeNumber(0, 3_600),
    default: 300,
  })
  transitCacheSeconds: number;
}

function keyName(text: string): string {
  if (/^[A-Za-z0-9_.-]{1,100}$/.test(text)) return text;
  throw new Error('1 to 100 letters, digits, dots, hyphens and underscores');
}

function bearerToken(text: string): string {
  if (/^[\x21-\x7e]{8,1000}$/.test(text)) return text;
  throw new Error('8 to 1,000 visible ASCII characters');
}
