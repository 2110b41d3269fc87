/**
 * Does what we hold cover what we owe? Looks in this order, so that whatever happens meanwhile is explained by what is read
 * after it:
 *
 *   1  the block        the newest that is final at every node and that the watcher has walked, by its hash
 *   2  the ledger       one snapshot of each database: the newest signed statement of what is owed, and what was booked up to it
 *   3  the chain's books  one snapshot: deposits seen, transfers ordered; later than 1 and 2, so that it has all of theirs
 *   4  the nodes        every balance at that block, and every transfer into and out of hot and cold up to it
 */
import { Block } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { Token, TOKEN_CURRENCIES, TOKENS } from '@stablecoin/chains/tokens';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { asLedgers, LedgerDatabases } from '../database/ledger';
import { refuseTorn, withPlacedSnapshots } from '../database/placed-snapshots';
import { AuditFailure } from '../report/report';
import { AgreeingNodes } from './agreeing-nodes';
import { sumOf } from './amounts';
import { ChainRecords, ChainRecordsReader } from './chain-records';
import { Coverage, coverageOf } from './coverage';
import { AwaitedTransfer, balancesAt, foundLater, OnProgress, transfersIn, treasuryLogs } from './holdings';
import { bookedThrough, booksKey, LedgerBooks, readLedgerBooks } from './ledger-books';
import { isOpen, PlaceNotLookedAt, placesNotLookedAt } from './places-not-looked-at';
import { Books, isInBlock, Order, Reconciliation, reconcile } from './reconcile';
import { SolvencySettings } from './solvency-settings';

export interface TokenSolvency extends Reconciliation {
  token: Token;
  /** Ordered and neither completed nor failed: money that will leave, or move among our addresses. */
  ordered: Order[];
}

export interface NetworkSolvency {
  network: EvmNetwork;
  nodes: string[];
  block: Block;
  addresses: number;
  tokens: TokenSolvency[];
}

export interface Solvency {
  ok: boolean;
  ledger: LedgerBooks;
  networks: NetworkSolvency[];
  notLookedAt: PlaceNotLookedAt[];
  coverage: Coverage[];
}

export interface LookedAt {
  nodes: AgreeingNodes;
  block: Block;
}

export async function solvency(
  ledgers: LedgerDatabase | LedgerDatabases,
  env: NodeJS.ProcessEnv,
  settings: SolvencySettings,
  progressOf: (network: EvmNetwork, what: string, total: number) => OnProgress,
): Promise<Solvency> {
  const { keys, leftOut } = settings;
  return ChainRecordsReader.with(env, async (reader) => {
    const looked: LookedAt[] = [];
    for (const { network, urls } of settings.nodes) looked.push(await chooseBlock(reader, network, urls));
    const ledger = await withPlacedSnapshots(asLedgers(ledgers), {}, (parts, torn) => {
      refuseTorn(torn);
      return readLedgerBooks(parts, { keys, leftOut });
    });
    const tokens = TOKENS.filter(({ network }) => looked.some(({ nodes }) => nodes.network === network));
    const records = await reader.inOneSnapshot(async () => {
      for (const { nodes } of looked) await requireKnownWallets(reader, nodes.network, settings);
      const read = new Map<Token, ChainRecords>();
      for (const token of tokens) read.set(token, await reader.recordsOf(token));
      return read;
    });
    const networks: NetworkSolvency[] = [];
    for (const { nodes, block } of looked)
      networks.push(await lookAt({ nodes, block }, { ledger, records, settings, progressOf }));
    const notLookedAt = placesNotLookedAt(
      networks.map(({ network }) => network),
      settings.stated,
      settings.without,
      (network, currency) => bookedThrough(ledger, [network], currency),
    );
    const coverage = coverageBy(ledger, networks, notLookedAt);
    const isSound = networks.every((network) => network.tokens.every(({ findings }) => findings.length === 0));
    const ok = isSound && coverage.every(({ surplus }) => surplus >= 0n) && !notLookedAt.some(isOpen);
    return { ok, ledger, networks, notLookedAt, coverage };
  });
}

async function chooseBlock(
  reader: ChainRecordsReader,
  network: EvmNetwork,
  urls: readonly string[],
): Promise<LookedAt> {
  const nodes = new AgreeingNodes(network, urls);
  await nodes.requireRight();
  const walked = await reader.walked(network);
  const final = await nodes.finalHeight();
  const heights = [final ?? walked?.final, walked?.tip].filter((height) => height !== undefined);
  if (final === undefined && walked === undefined)
    throw new AuditFailure(`${network}: a node names no final block, and the watcher has walked none.`);
  return { nodes, block: await nodes.blockAt(Math.min(...heights)) };
}

/** A wallet that is left out would make every payout from it, and every sweep to it, look stolen. */
async function requireKnownWallets(
  reader: ChainRecordsReader,
  network: EvmNetwork,
  { hot }: SolvencySettings,
): Promise<void> {
  const unknown = (await reader.hotWallets(network)).filter((address) => !hot.includes(address));
  if (unknown.length > 0)
    throw new AuditFailure(`${network}: transfers leave ${unknown.join(', ')}, which --hot does not name.`);
}

interface Material {
  ledger: LedgerBooks;
  records: ReadonlyMap<Token, ChainRecords>;
  settings: SolvencySettings;
  progressOf: (network: EvmNetwork, what: string, total: number) => OnProgress;
}

async function lookAt({ nodes, block }: LookedAt, material: Material): Promise<NetworkSolvency> {
  const { ledger, records, settings, progressOf } = material;
  const { network } = nodes;
  const wallets = [...new Set([...settings.hot, ...settings.cold])];
  const addresses = [...new Set([...ledger.wallets.keys(), ...wallets])];
  const tokens = TOKENS.filter((token) => token.network === network);
  const range = { from: settings.from.get(network) ?? 0, to: block.number };
  const logs = await treasuryLogs(
    nodes,
    tokens,
    wallets,
    range,
    progressOf(network, 'blocks', range.to - range.from + 1),
  );
  const onBalance = progressOf(network, 'balances', addresses.length * tokens.length);
  const found: TokenSolvency[] = [];
  for (const token of tokens) {
    const { deposits, orders } = records.get(token) ?? { deposits: [], orders: [] };
    const key = booksKey(network, token.currency);
    const books: Books = {
      blockNumber: block.number,
      balances: await balancesAt(nodes, token, addresses, block, onBalance),
      wallets: ledger.wallets,
      treasury: new Set(wallets),
      transfers: transfersIn(token, logs),
      deposits,
      orders,
      movements: ledger.movements.get(key) ?? [],
      bookedOtherwise: ledger.bookedOtherwise.get(key) ?? 0n,
      takenOut: settings.takenOut,
      later: new Set(),
      leftOut: ledger.leftOut,
      acts: settings.acts,
    };
    const later = await foundLater(nodes, token, books.treasury, block, awaitedOf(books));
    const ordered = orders.filter(({ state }) => state === 'waiting' || state === 'sent');
    found.push({ token, ordered, ...reconcile({ ...books, later }) });
  }
  return { network, nodes: nodes.names, block, addresses: addresses.length, tokens: found };
}

/** What the ledger has booked already, and may be in a later block. */
function awaitedOf({ movements, deposits, transfers, blockNumber, leftOut }: Books): AwaitedTransfer[] {
  const rows = new Map(deposits.flatMap((deposit) => (deposit.ledgerId ? [[deposit.ledgerId, deposit] as const] : [])));
  const left = new Set(transfers.map(({ transactionHash }) => transactionHash));
  return movements.flatMap(({ id, type, booked, amount, transactionHash, merchantId }): AwaitedTransfer[] => {
    if (booked === 0n || transactionHash === null || leftOut.has(merchantId)) return [];
    if (type === 'PAYOUT') return left.has(transactionHash) ? [] : [{ id, transactionHash, to: undefined, amount }];
    const row = rows.get(id);
    if (row === undefined || isInBlock(row, blockNumber)) return [];
    return [{ id, transactionHash, to: row.to, amount: row.held }];
  });
}

function coverageBy(
  ledger: LedgerBooks,
  networks: readonly NetworkSolvency[],
  notLookedAt: readonly PlaceNotLookedAt[],
): Coverage[] {
  return TOKEN_CURRENCIES.map((currency) => {
    const reconciled = networks.flatMap(({ tokens }) => tokens.filter(({ token }) => token.currency === currency));
    const others = notLookedAt.filter((place) => place.currency === currency);
    const elsewhere = sumOf(others.flatMap(({ leftOut, booked }) => (leftOut ? [booked] : [])));
    const stated = sumOf(others.map((place) => place.stated ?? 0n));
    return coverageOf(currency, ledger.owed.get(currency) ?? 0n, { elsewhere, stated }, reconciled);
  });
}
