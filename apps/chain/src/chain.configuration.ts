import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork, EVM_NETWORKS } from '@stablecoin/chains/chains';
import { databasePoolSize, databaseUrl, COMMAND_KEY } from '@stablecoin/service-host/repeated-settings';
import { ServiceConfiguration } from '@stablecoin/service-host/service-configuration';
import { listOf, Setting, SettingDefinition, urlOf, wholeNumber } from '@stablecoin/service-host/setting';
import { AmountsByCurrency, readAmounts } from './treasury/amounts-by-currency';
import { FinalityPolicy, parseFinality } from './walk/finality';

const NODES_MAX = 2;
/** The order of secp256k1. */
const KEYS_END = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** One node twice would agree with itself. */
function readNodes(text: string): string[] {
  const urls = listOf(urlOf('http:', 'https:'), NODES_MAX)(text);
  if (new Set(urls.map((url) => new URL(url).href)).size < urls.length) throw new Error('two different nodes');
  return urls;
}

const nodesOf = (network: EvmNetwork, chain: string): SettingDefinition<string[]> => ({
  env: `CHAIN_RPC_${network.toUpperCase()}`,
  describe:
    `The JSON-RPC of one or two nodes of ${chain}, separated by commas; with two, both have to agree before a deposit is ` +
    'credited. Without any, the network is not watched.',
  example: 'https://node-a.example.com/key,https://node-b.example.com/key',
  read: readNodes,
  default: [],
  secret: true,
});

const finalityOf = (network: EvmNetwork, chain: string): SettingDefinition<string> => ({
  env: `CHAIN_FINALITY_${network.toUpperCase()}`,
  describe:
    `When a deposit on ${chain} is credited: finalized, a number of confirmations, or tiers by the whole amount, such as ` +
    '100:2,10000:12,finalized.',
  example: 'finalized',
  read: (text) => {
    parseFinality(text);
    return text;
  },
  default: 'finalized',
});

function privateKey(text: string): Hex {
  if (/^0x[0-9a-f]{64}$/i.test(text) && BigInt(text) > 0n && BigInt(text) < KEYS_END) return text as Hex;
  throw new Error('0x and 64 hexadecimal digits');
}

const amounts = (env: string, describe: string, example: number): SettingDefinition<AmountsByCurrency> => ({
  ...{ env, describe, example: `USDT:${example},USDC:${example}` },
  read: readAmounts,
  default: new Map(),
});

export class ChainConfiguration extends ServiceConfiguration {
  @Setting(COMMAND_KEY) commandKey: Buffer;
  @Setting(databaseUrl('chain', 'Where walks, deposit addresses and deposits on chains are kept.')) databaseUrl: string;
  @Setting(databasePoolSize(10)) databasePoolSize: number;

  @Setting(nodesOf('erc20', 'Ethereum')) erc20Nodes: string[];
  @Setting(nodesOf('bep20', 'BNB Smart Chain')) bep20Nodes: string[];
  @Setting(nodesOf('polygon', 'Polygon')) polygonNodes: string[];

  @Setting(finalityOf('erc20', 'Ethereum')) erc20Finality: string;
  @Setting(finalityOf('bep20', 'BNB Smart Chain')) bep20Finality: string;
  @Setting(finalityOf('polygon', 'Polygon')) polygonFinality: string;

  @Setting({
    env: 'CHAIN_POLL_MS',
    describe: 'How often each network is asked for new blocks, in milliseconds.',
    example: '1000',
    read: wholeNumber(50, 60_000),
    default: 1_000,
  })
  pollMs: number;

  @Setting<Hex | null>({
    env: 'CHAIN_FAUCET_KEY',
    describe:
      'The private key of an account with test money, from which deposits of the sandbox are sent. Only for local chains and ' +
      'test networks: with a node of a real chain the service does not start.',
    example: `0x${'42'.repeat(32)}`,
    read: privateKey,
    default: null,
    secret: true,
  })
  faucetKey: Hex | null;

  @Setting({
    env: 'CHAIN_REPLACE_AFTER_MS',
    describe:
      'How long a transaction of ours waits to be mined before it is replaced by one with fees an eighth higher, and when ' +
      'the signer is asked again after it has refused, in milliseconds.',
    example: '60000',
    read: wholeNumber(500, 86_400_000),
    default: 60_000,
  })
  replaceAfterMs: number;

  @Setting(
    amounts(
      'CHAIN_SWEEP_ABOVE',
      'What a deposit address has more of is swept to the hot wallet, by currency, on each network. Without it nothing is swept.',
      100,
    ),
  )
  sweepAbove: AmountsByCurrency;

  @Setting(
    amounts(
      'CHAIN_HOT_MIN',
      'The hot wallet of a network should have no less, by currency: below it an alert fires.',
      5_000,
    ),
  )
  hotMin: AmountsByCurrency;

  @Setting(
    amounts(
      'CHAIN_HOT_MAX',
      "With more than this in a network's hot wallet, what is above CHAIN_HOT_TARGET goes to the signer's cold address. " +
        'Without it all of it stays.',
      50_000,
    ),
  )
  hotMax: AmountsByCurrency;

  @Setting(amounts('CHAIN_HOT_TARGET', 'What stays in the hot wallet then; less than CHAIN_HOT_MAX.', 20_000))
  hotTarget: AmountsByCurrency;

  @Setting({
    env: 'CHAIN_TREASURY_POLL_MS',
    describe: 'How often what we hold on each network is looked at, in milliseconds.',
    example: '15000',
    read: wholeNumber(50, 3_600_000),
    default: 15_000,
  })
  treasuryPollMs: number;

  /** The nodes of the networks that have any. */
  nodes(): Partial<Record<EvmNetwork, string[]>> {
    return Object.fromEntries(
      EVM_NETWORKS.map((network): [EvmNetwork, string[]] => [network, this[`${network}Nodes`]]).filter(
        ([, urls]) => urls.length > 0,
      ),
    );
  }

  finality(network: EvmNetwork): FinalityPolicy {
    return parseFinality(this[`${network}Finality`]);
  }
}
