/** What the audit of holdings has to be told: which nodes to ask, and which addresses are ours beside deposit addresses. */
import { readFileSync } from 'node:fs';
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EVM_NETWORKS, EvmNetwork, isTransactionHash } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES } from '@stablecoin/chains/tokens';
import { TrustedKey } from '@stablecoin/event-proofs/signed-note';
import { Network, NETWORKS } from '@stablecoin/money/currency';
import { readOperatorsActs } from '../acts/operators-acts';
import { AuditFailure } from '../report/report';
import { settingOf } from '../settings/setting-of';
import { ofLedger } from './amounts';
import { KnownActs } from './decisions';
import { StatedHolding } from './places-not-looked-at';

export const HOT_WALLETS = 'SOLVENCY_HOT_WALLETS';
export const COLD_WALLETS = 'SOLVENCY_COLD_WALLETS';
export const nodesVariable = (network: EvmNetwork): string => `CHAIN_RPC_${network.toUpperCase()}`;

export interface SolvencySettings {
  nodes: { network: EvmNetwork; urls: string[] }[];
  /** In lower case, as is all of this. */
  hot: Hex[];
  cold: Hex[];
  /** The first block to look for transfers of hot and cold in. */
  from: ReadonlyMap<EvmNetwork, number>;
  /** Transactions by which the treasury took its own money out. */
  takenOut: ReadonlySet<Hex>;
  /** Merchants whose money is play money. */
  leftOut: ReadonlySet<string>;
  /** Of networks without nodes. */
  stated: readonly StatedHolding[];
  /** Networks that are looked at by other means. */
  without: ReadonlySet<Network>;
  keys: readonly TrustedKey[] | undefined;
  acts: KnownActs | undefined;
}

/** As the command line has them. */
export interface SolvencyFlags {
  network?: EvmNetwork[];
  hot?: Hex[];
  cold?: Hex[];
  from?: (readonly [EvmNetwork, number])[];
  takenOut?: Hex[];
  testMerchants?: string[];
  heldElsewhere?: StatedHolding[];
  without?: Network[];
  key?: TrustedKey[];
  acts?: string;
  actsHead?: string;
  actsSince?: Date;
}

export function solvencySettings(env: NodeJS.ProcessEnv, flags: SolvencyFlags): SolvencySettings {
  const nodes = EVM_NETWORKS.flatMap((network) => {
    const urls = listIn(env, nodesVariable(network));
    return urls.length > 0 && (flags.network?.includes(network) ?? true) ? [{ network, urls }] : [];
  });
  const unnamed = (flags.network ?? []).filter((network) => !nodes.some((one) => one.network === network));
  if (unnamed.length > 0) throw new AuditFailure(`There are no nodes of ${unnamed.join(', ')}: ${setNodes(unnamed)}.`);
  if (nodes.length === 0) throw new AuditFailure(`There are no nodes to ask: ${setNodes(EVM_NETWORKS)}.`);
  for (const { network, urls } of nodes)
    if (new Set(urls).size < urls.length || urls.some((url) => !/^https?:\/\/./.test(url) || !URL.canParse(url)))
      throw new AuditFailure(`${nodesVariable(network)} takes http: or https: URLs of different nodes, by commas.`);
  requireOneWord(
    nodes.map(({ network }) => network),
    flags,
  );
  const hot = flags.hot ?? listIn(env, HOT_WALLETS).map(addressIn(HOT_WALLETS));
  if (hot.length === 0) throw new AuditFailure(`The hot wallet is not named: give --hot, or set ${HOT_WALLETS}.`);
  return {
    nodes,
    hot,
    cold: flags.cold ?? listIn(env, COLD_WALLETS).map(addressIn(COLD_WALLETS)),
    from: new Map(flags.from),
    takenOut: new Set(flags.takenOut),
    leftOut: new Set(flags.testMerchants),
    stated: flags.heldElsewhere ?? [],
    without: new Set(flags.without),
    keys: flags.key,
    acts: flags.acts === undefined ? undefined : knownActs(flags.acts, flags),
  };
}

const knownActs = (file: string, { actsHead, actsSince }: SolvencyFlags): KnownActs => ({
  acts: readOperatorsActs(file, actsHead),
  since: actsSince?.getTime() ?? -Infinity,
});

/** Of each network it is said once how it is taken: looked at, stated, or left out. */
function requireOneWord(lookedAt: readonly Network[], { heldElsewhere = [], without = [] }: SolvencyFlags): void {
  for (const network of [...without, ...heldElsewhere.map((one) => one.network)])
    if (lookedAt.includes(network))
      throw new AuditFailure(`${network} has nodes, and is looked at: leave it out with --network, or its statement.`);
  for (const { network, currency } of heldElsewhere) {
    if (without.includes(network)) throw new AuditFailure(`${network} is left out, and stated as well.`);
    if (heldElsewhere.filter((one) => one.network === network && one.currency === currency).length > 1)
      throw new AuditFailure(`What is held on ${network} in ${currency} is stated twice.`);
  }
}

const setNodes = (networks: readonly EvmNetwork[]) => `set ${networks.map(nodesVariable).join(' or ')}`;

const listIn = (env: NodeJS.ProcessEnv, name: string): string[] =>
  (settingOf(env, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const addressIn = (name: string) => (text: string) => {
  const address = addressOf(text);
  if (address === undefined)
    throw new AuditFailure(`${name} takes addresses of EVM chains, by commas; ${text} is none.`);
  return address;
};

/** In lower case; undefined for anything else. */
export const addressOf = (text: string): Hex | undefined =>
  /^0x[0-9a-f]{40}$/i.test(text) ? (text.toLowerCase() as Hex) : undefined;

export const hashOf = (text: string): Hex | undefined =>
  isTransactionHash(text) ? (text.toLowerCase() as Hex) : undefined;

export const networkOf = (text: string): EvmNetwork | undefined => EVM_NETWORKS.find((network) => network === text);

export const anyNetworkOf = (text: string): Network | undefined => NETWORKS.find((network) => network === text);

/** As `solana=3000000.5:USDC`. */
export function statedHoldingIn(text: string): StatedHolding | undefined {
  const [, place = '', amount = '', code = ''] = /^(\w+)=(\d{1,30}(?:\.\d{1,18})?):(\w+)$/.exec(text) ?? [];
  const network = anyNetworkOf(place);
  const currency = TOKEN_CURRENCIES.find((each) => each === code);
  return network && currency && { network, currency, amount: ofLedger(amount) };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A file with the id of a merchant in each line; undefined where a line has none. */
export function merchantsIn(file: string): string[] | undefined {
  const lines = readFileSync(file, 'utf8').split('\n');
  const ids = lines.map((line) => line.trim().toLowerCase()).filter(Boolean);
  return ids.every((id) => UUID.test(id)) ? ids : undefined;
}
