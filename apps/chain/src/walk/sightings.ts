import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { tokenAt } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import { UnrecognisedReason } from '@stablecoin/contracts/chain/views';
import { AddressOwner } from '../addresses/known-addresses';
import { Credit, Transfer } from '../deposits/deposit';
import { TransferLog } from '../nodes/transfer-logs';
import { confirmationsFor, FinalityPolicy } from './finality';
import { UNLISTED_MAX } from './limits';

export interface Sighting {
  transfer: Transfer;
  credit: Credit;
}

/**
 * The transfers of a block to addresses of ours. The logs are all that were emitted in it, because the ordinals are counted
 * over them. Transfers of nothing, which anyone can make in anyone's name, are passed over, and of contracts that are on no list
 * all but the block's first (UNLISTED_MAX).
 */
export function sightingsIn(
  { network, finality }: { network: EvmNetwork; finality: FinalityPolicy },
  logs: readonly TransferLog[],
  owners: ReadonlyMap<Hex, AddressOwner>,
): Sighting[] {
  let unlisted = 0;
  return transfersOf(logs).flatMap((transfer) => {
    const owner = owners.get(transfer.to);
    if (!owner || transfer.units === 0n) return [];
    const token = tokenAt(network, transfer.token);
    const { walletId, merchantId, shard } = owner;
    if (!token) {
      unlisted += 1;
      return unlisted > UNLISTED_MAX
        ? []
        : [{ transfer, credit: { ...OF_NO_TOKEN, ...{ walletId, merchantId, shard } } }];
    }
    const { amount, rest } = toLedgerAmount(token, transfer.units);
    const credit: Credit = {
      ...{ walletId, merchantId, shard, amount },
      currency: token.currency,
      restUnits: rest,
      confirmationsRequired: confirmationsFor(finality, token, transfer.units),
      unrecognisedReason: reasonAgainst(network, owner, token.currency, rest === transfer.units),
    };
    return [{ transfer, credit }];
  });
}

/** A contract that is on no list is no money, whatever it calls itself. */
const OF_NO_TOKEN = {
  ...{ currency: null, amount: null, restUnits: 0n, confirmationsRequired: null },
  unrecognisedReason: 'unknown_token',
} as const;

function reasonAgainst(
  network: EvmNetwork,
  owner: AddressOwner,
  currency: string,
  isDust: boolean,
): UnrecognisedReason | null {
  if (owner.currency !== currency) return 'wrong_currency';
  if (!owner.networks.includes(network)) return 'network_without_address';
  return isDust ? 'below_smallest_unit' : null;
}

/** Each log with its ordinal: its place among those of its token in its transaction, in the order of the block. */
export function transfersOf(logs: readonly TransferLog[]): Transfer[] {
  const counted = new Map<string, number>();
  return [...logs]
    .sort((one, other) => one.logIndex - other.logIndex)
    .map(({ token, transactionHash, from, to, units, blockNumber, blockHash }) => {
      const key = `${transactionHash}:${token}`;
      const ordinal = counted.get(key) ?? 0;
      counted.set(key, ordinal + 1);
      return { token, transactionHash, ordinal, from, to, units, blockNumber, blockHash };
    });
}
