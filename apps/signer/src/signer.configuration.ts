import { extendedPublicKey } from '@stablecoin/addresses/extended-public-key';
import { isAddress } from '@stablecoin/addresses/validate-address';
import type { EvmNetwork } from '@stablecoin/chains/chains';
import { isUnpayable } from '@stablecoin/chains/unpayable-addresses';
import { CallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { COMMAND_EVIDENCE_KEYS } from '@stablecoin/service-host/repeated-settings';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { bytes, filePath, oneOf, Setting, urlOf, wholeNumber } from '@stablecoin/service-host/setting';
import { compressedPublicKey } from './keys/public-keys';
import { OrderRules } from './rules/payout-orders';
import {
  type Cap,
  readFeesPerGas,
  readNativeCaps,
  readPayoutCaps,
  type SpendingCaps,
  type TokenName,
} from './rules/spending-caps';
import type { Hex } from './rules/transfer-transaction';

const NONE_MAY = 'Without an entry none may';

export class SignerConfiguration extends ServiceConfiguration {
  @Setting({
    env: 'SIGNER_KEYS',
    describe: 'Where the keys are: derived from SIGNER_SEED in this process, or with an outside signer over HTTP.',
    example: 'seed',
    read: oneOf('seed', 'http'),
    default: 'seed',
  })
  keys: 'seed' | 'http';

  @Setting<Buffer | null>({
    env: 'SIGNER_SEED',
    describe:
      'The seed of hot wallet and deposit addresses (BIP-32), the same as DEPOSIT_SEED. Anyone who has it can take all money on chains.',
    example: '64 random bytes, from: openssl rand -hex 64 | tr -d "\\n"',
    read: bytes(64, 'hex'),
    default: null,
    secret: true,
  })
  seed: Buffer | null;

  @Setting({
    env: 'SIGNER_HOT_INDEX',
    describe: "Which hot wallet is in use, m/44'/60'/1'/0/<index>: another number is another address.",
    example: '0',
    read: wholeNumber(0, 2 ** 31 - 1),
    default: 0,
  })
  hotIndex: number;

  @Setting<Hex | null>({
    env: 'SIGNER_COLD_ADDRESS',
    describe:
      'Where the hot wallet may send any amount: an address whose key is kept offline. Without it there is none.',
    example: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    read: coldAddress,
    default: null,
  })
  coldAddress: Hex | null;

  @Setting<Map<TokenName, Cap>>({
    env: 'SIGNER_PAYOUT_CAPS',
    describe: `What payouts may take from the hot wallet: per transaction / per 24 hours. ${NONE_MAY} leave.`,
    example: 'erc20:USDT=10000/250000, bep20:USDC=10000/250000',
    read: readPayoutCaps,
    default: new Map(),
  })
  payoutCaps: Map<TokenName, Cap>;

  @Setting<Map<EvmNetwork, Cap>>({
    env: 'SIGNER_GAS_CAPS',
    describe: `What deposit addresses may be sent for their sweeps, in native coin: per transaction / per 24 hours. ${NONE_MAY} be sent.`,
    example: 'erc20=0.01/0.5, bep20=0.005/0.5, polygon=1/50',
    read: readNativeCaps,
    default: new Map(),
  })
  gasCaps: Map<EvmNetwork, Cap>;

  @Setting<Map<EvmNetwork, Cap>>({
    env: 'SIGNER_FEE_CAPS',
    describe: `What fees may come to, in native coin: per transaction / per 24 hours. ${NONE_MAY} be paid, so nothing is signed.`,
    example: 'erc20=0.02/1, bep20=0.005/1, polygon=1/100',
    read: readNativeCaps,
    default: new Map(),
  })
  feeCaps: Map<EvmNetwork, Cap>;

  @Setting<Map<EvmNetwork, bigint>>({
    env: 'SIGNER_FEE_PER_GAS_CAPS',
    describe: 'The highest max_fee_per_gas, in gwei. Without an entry nothing is signed.',
    example: 'erc20=200, bep20=20, polygon=2000',
    read: readFeesPerGas,
    default: new Map(),
  })
  feePerGasCaps: Map<EvmNetwork, bigint>;

  @Setting({
    env: 'SIGNER_JOURNAL_DIRECTORY',
    describe:
      'A directory that outlives the process, on a disk of this machine, of one signer alone, where it writes down what it has signed.',
    example: '/var/lib/stablecoin/signer',
    read: filePath,
  })
  journalDirectory: string;

  @Setting<string | null>({
    env: 'SIGNER_HTTP_URL',
    describe: 'With SIGNER_KEYS=http: where digests are sent to be signed.',
    example: 'https://kms.internal/sign',
    read: urlOf('http:', 'https:'),
    default: null,
  })
  httpUrl: string | null;

  @Setting<string | null>({
    env: 'SIGNER_HTTP_TOKEN',
    describe: 'What the outside signer is sent as its bearer token.',
    example: 'a-token-of-the-outside-signer',
    read: bearerToken,
    default: null,
    secret: true,
  })
  httpToken: string | null;

  @Setting<Buffer | null>({
    env: 'SIGNER_HTTP_HOT_PUBLIC_KEY',
    describe: "The public key of the outside signer's hot wallet, compressed: no signature by another key is taken.",
    example: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    read: compressedPublicKey,
    default: null,
  })
  httpHotPublicKey: Buffer | null;

  @Setting<string | null>({
    env: 'SIGNER_HTTP_DEPOSIT_PARENT',
    describe:
      "The extended public key (xpub) of the outside signer's m/44'/60'/0'/0: the deposit addresses are its children.",
    example:
      'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
    read: (text) => extendedPublicKey(text).publicExtendedKey,
    default: null,
  })
  httpDepositParent: string | null;

  @Setting({
    env: 'SIGNER_HTTP_TIMEOUT_MS',
    describe: 'How long the outside signer may take for a signature, in milliseconds.',
    example: '2000',
    read: wholeNumber(100, 4_000),
    default: 2_000,
  })
  httpTimeoutMs: number;

  @Setting(COMMAND_EVIDENCE_KEYS)
  commandEvidenceKeys: CallerKeys;

  @Setting({
    env: 'ORDERS_ACCEPTED_UNSIGNED',
    describe:
      'Signs payouts without an order that the payout service has signed: while chain and payout are brought to a version that signs ' +
      'them, and until what was ordered before has left.',
    example: 'false',
    read: (value) => oneOf('true', 'false')(value) === 'true',
    default: false,
  })
  ordersAcceptedUnsigned: boolean;

  /** @throws Error for a signer that would sign no payout at all */
  get orders(): OrderRules {
    const { commandEvidenceKeys: keys, ordersAcceptedUnsigned: acceptsUnsigned } = this;
    if (keys.has('payout') || acceptsUnsigned) return { keys, acceptsUnsigned };
    throw new Error('COMMAND_EVIDENCE_KEYS names no payout: the signer would sign no payout');
  }

  get caps(): SpendingCaps {
    const { payoutCaps: payouts, gasCaps: gas, feeCaps: fees, feePerGasCaps: feePerGas } = this;
    return { payouts, gas, fees, feePerGas };
  }
}

/** With its check digits: a slip in the one address that may get everything must not pass. */
function coldAddress(text: string): Hex {
  const isChecked = isAddress('erc20', text) && /[a-f]/.test(text.slice(2)) && /[A-F]/.test(text);
  if (isChecked && !isUnpayable(text)) return text as Hex;
  throw new Error('an EVM address in upper and lower case, as EIP-55 has it, that somebody can have the key of');
}

function bearerToken(text: string): string {
  if (/^[\x21-\x7e]{8,1000}$/.test(text)) return text;
  throw new Error('8 to 1,000 visible ASCII characters');
}
