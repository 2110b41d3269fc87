import { table } from '@stablecoin/command-line/table';
import { NetworkTreasury, TokenTreasury } from '@stablecoin/contracts/chain/get-treasury';
import { coinsText } from './coins-text';

export function treasuryText({ networks }: { networks: NetworkTreasury[] }): string {
  return networks.length === 0 ? 'No network has a node.' : networks.map(networkText).join('\n\n');
}

function networkText(treasury: NetworkTreasury): string {
  const { network, hot_address, hot_wei, hot_wei_transfers, cold_address, read_at, block_number } = treasury;
  const read =
    read_at === null
      ? 'not read yet: the treasury needs the signer and every node'
      : `read at block ${block_number}, ${read_at}`;
  const pays = hot_wei_transfers === null ? '' : `, enough for ${hot_wei_transfers} transfers`;
  return [
    `${network}: ${read}`,
    tokenTable(treasury.tokens),
    `hot wallet         ${hot_address ?? '-'}  ${hot_wei === null ? '-' : coinsText(network, hot_wei)}${pays}`,
    `cold address       ${cold_address ?? '-'}`,
    `deposit addresses  ${coinsText(network, treasury.deposit_addresses_wei)}`,
    `fees paid          ${coinsText(network, treasury.fees_wei)}; given for sweeps ${coinsText(network, treasury.gas_wei)}`,
  ].join('\n');
}

function tokenTable(tokens: readonly TokenTreasury[]): string {
  const header = [
    'TOKEN',
    'TO SWEEP',
    'BELOW',
    'HOT',
    'COLD',
    'FORMER',
    'PAYOUTS',
    'TO COLD',
    'SWEEPS',
    'REST UNITS',
    'LIMITS',
  ];
  const rows = tokens.map((token) => [
    token.currency,
    `${token.to_sweep.amount} (${token.to_sweep.addresses})`,
    `${token.below_threshold.amount} (${token.below_threshold.addresses})`,
    token.hot?.amount ?? null,
    token.cold?.amount ?? null,
    token.former.amount,
    token.under_way.payouts.amount,
    token.under_way.to_cold.amount,
    token.under_way.sweeps.amount,
    token.rest_units,
    limitsText(token),
  ]);
  return table(header, rows);
}

function limitsText({ sweep_above, hot_min, hot_max, hot_target }: TokenTreasury): string | null {
  const limits = Object.entries({ 'sweep above': sweep_above, 'hot min': hot_min, max: hot_max, target: hot_target });
  const set = limits.filter(([, amount]) => amount !== null).map(([name, amount]) => `${name} ${amount}`);
  return set.length === 0 ? null : set.join(', ');
}
