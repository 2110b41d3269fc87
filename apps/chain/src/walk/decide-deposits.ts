/**
 * What follows for deposits from blocks that were replaced, transfers that were seen and blocks that became final: in
 * this order, without a node and without a database. The walk stores the changes with its new tip in one commit.
 */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { DepositStanding } from '@stablecoin/contracts/chain/views';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { Deposit, nameOf, Transfer } from '../deposits/deposit';
import { FinalHeights, finalHeight } from './finality';
import { Sighting } from './sightings';

export interface WalkedChange {
  network: EvmNetwork;
  /** The hashes of blocks that are not on the chain any more. */
  replaced: ReadonlySet<Hex>;
  sightings: readonly Sighting[];
  /** Undefined while the nodes do not agree: then nothing becomes final. */
  heights: FinalHeights | undefined;
  /**
   * What was final before the newest block was asked for, up to which all is walked: only what was in a block up to there, and is
   * in none, has gone. By what became final later, the transfer may be in a block that is not walked yet. Undefined while there
   * are such blocks.
   */
  settled?: FinalHeights | undefined;
  /** The ids of deposits whose transfer no node has in its block. */
  absent?: ReadonlySet<string>;
}

export interface DepositChanges {
  opened: Deposit[];
  /** Deposits that were known and stand otherwise than before. */
  moved: Deposit[];
  /** Those of them that were final: what the network called final was replaced. */
  finalityBroken: Deposit[];
}

export const NO_CHANGES: DepositChanges = { opened: [], moved: [], finalityBroken: [] };

/**
 * @param known the deposits in replaced blocks, those with the names of the sightings, and those that are not final or
 *   gone and not above the final heights
 */
export function decideDeposits(known: readonly Deposit[], change: WalkedChange): DepositChanges {
  const deposits = known.map((deposit) => ({ ...deposit }));
  const before = new Map(known.map((deposit) => [deposit.id, deposit]));
  const finalityBroken = orphan(deposits, change.replaced);
  const rounds = new RoundsByName(deposits);
  for (const sighting of change.sightings) {
    const further = place(rounds, change.network, sighting);
    if (further) deposits.push(further);
  }
  for (const deposit of deposits) if (change.absent?.has(deposit.id)) deposit.standing = 'orphaned';
  const { heights, settled } = change;
  if (heights) for (const deposit of deposits) reachFinality(deposit, heights, settled);
  const opened = deposits.filter(({ id }) => !before.has(id));
  const moved = deposits.filter((deposit) => {
    const was = before.get(deposit.id);
    return was && (was.standing !== deposit.standing || was.blockHash !== deposit.blockHash);
  });
  return { opened, moved, finalityBroken };
}

function orphan(deposits: readonly Deposit[], replaced: ReadonlySet<Hex>): Deposit[] {
  const affected = deposits.filter(({ blockHash, standing }) => replaced.has(blockHash) && isOnChain(standing));
  const broken = affected.filter(({ standing }) => standing === 'final');
  for (const deposit of affected) deposit.standing = 'orphaned';
  return broken;
}

/**
 * The same transfer in another block is the same deposit. It is a further round where the deposit had ended before, and
 * where the transaction, executed anew, paid another address or another amount under the same ordinal.
 *
 * @returns the further round
 */
function place(known: RoundsByName, network: EvmNetwork, { transfer, credit }: Sighting): Deposit | undefined {
  const name = nameOf(transfer);
  const rounds = known.of(name);
  const continued = rounds.find((deposit) => deposit.standing !== 'gone' && paysTheSame(deposit, transfer));
  if (continued) {
    const isWhereItWas = continued.blockHash === transfer.blockHash && isOnChain(continued.standing);
    if (!isWhereItWas) Object.assign(continued, { ...whereOf(transfer), standing: 'included' });
    return undefined;
  }
  const round = Math.max(-1, ...rounds.map((deposit) => deposit.round)) + 1;
  const further: Deposit = {
    ...transfer,
    ...credit,
    id: derivedUuid('deposit', network, name, String(round)),
    ...{ network, round, standing: 'included' },
    booked: credit.unrecognisedReason === null ? 'nothing' : 'unrecognised',
  };
  rounds.push(further);
  return further;
}

/** A block may hold thousands of transfers to our addresses: the deposits of each are not searched for among all. */
class RoundsByName {
  private readonly rounds = new Map<string, Deposit[]>();

  constructor(deposits: readonly Deposit[]) {
    for (const deposit of deposits) this.of(nameOf(deposit)).push(deposit);
  }

  /** What is added to it is found again. */
  of(name: string): Deposit[] {
    const known = this.rounds.get(name);
    if (known) return known;
    const begun: Deposit[] = [];
    this.rounds.set(name, begun);
    return begun;
  }
}

function reachFinality(deposit: Deposit, heights: FinalHeights, settled: FinalHeights | undefined): void {
  const isFinalBy = (known: FinalHeights) => deposit.blockNumber <= finalHeight(deposit.confirmationsRequired, known);
  if (!isFinalBy(heights)) return;
  if (deposit.standing === 'included') deposit.standing = 'final';
  else if (deposit.standing === 'orphaned' && settled && isFinalBy(settled)) deposit.standing = 'gone';
}

const isOnChain = (standing: DepositStanding): boolean => standing === 'included' || standing === 'final';
const paysTheSame = (one: Transfer, other: Transfer): boolean => one.to === other.to && one.units === other.units;
const whereOf = ({ blockNumber, blockHash }: Transfer) => ({ blockNumber, blockHash });
