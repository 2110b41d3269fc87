import { table } from '@stablecoin/command-line/table';
import { CHAINS } from '@stablecoin/chains/chains';
import { NetworkStatus } from '@stablecoin/contracts/chain/status';
import { coinsText } from './coins-text';

const NOT_YET = 'not read yet: the treasury needs the signer and every node';

/** Blocks of lines, one for each network. */
export function statusText({ networks }: { networks: NetworkStatus[] }): string {
  return networks.length === 0
    ? 'No network has a node: set CHAIN_RPC_ERC20, CHAIN_RPC_BEP20 or CHAIN_RPC_POLYGON for the chain service.'
    : networks.map(networkText).join('\n\n');
}

function networkText(status: NetworkStatus): string {
  const { network, chain_id, head, tip, tip_at, final, rescan_from, waiting, sent } = status;
  const walk =
    tip === null ? 'not walked yet' : `walked to ${tip} (${tip_at ?? '-'}) of ${head ?? '-'}, final ${final ?? '-'}`;
  const waits = Object.entries(waiting).map(([hold, count]) => `${count} ${hold}`);
  return [
    `${network} (${CHAINS[network].name}, chain ${chain_id}): ${walk}`,
    ...(rescan_from === null ? [] : [`  rescan    under way from block ${rescan_from}`]),
    ...nodeLines(status),
    `  deposit   ${depositText(status)}`,
    `  payout    ${payoutText(status)}`,
    `  transfers ${sent} sent and not final; waiting: ${waits.join(', ') || 'none'}`,
    `  hot       ${hotText(status)}`,
  ].join('\n');
}

const nodeLines = ({ nodes }: NetworkStatus): string[] =>
  table(
    ['NODE', 'HEAD', 'BEHIND', 'FAILURE'],
    nodes.map(({ node, head, behind, failure }) => [node, textOf(head), textOf(behind), failure]),
  )
    .split('\n')
    .map((line) => `  ${line}`);

const textOf = (count: number | null): string | null => (count === null ? null : String(count));

function depositText({ oldest_unconfirmed_deposit: oldest }: NetworkStatus): string {
  if (oldest === null) return 'all are confirmed';
  return `oldest unconfirmed: ${oldest.transaction_hash} in block ${oldest.block_number}, seen ${oldest.seen_at}`;
}

function payoutText({ oldest_unconfirmed_payout: oldest }: NetworkStatus): string {
  if (oldest === null) return 'all are confirmed';
  const held = oldest.held_by === null ? '' : `, held by ${oldest.held_by}`;
  return `oldest unconfirmed: ${oldest.reference} (${oldest.state}${held}), ordered ${oldest.created_at}`;
}

function hotText({ network, hot_wallet: hot }: NetworkStatus): string {
  if (hot === null) return NOT_YET;
  const tokens = hot.tokens.map(({ currency, amount }) => `${amount} ${currency}`);
  return [hot.address, ...tokens, coinsText(network, hot.coins_wei), `at block ${hot.block_number}`].join('  ');
}
