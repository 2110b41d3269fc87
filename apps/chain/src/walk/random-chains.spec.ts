/**
 * Chains drawn at random, whose blocks are replaced again and again: what the walk finds in the end is what is on the
 * chain, and what the ledger was told adds up to it, whenever its steps were made.
 */
import { Block, Hex } from '@stablecoin/chain-node/chain-node';
import { tokenOf } from '@stablecoin/chains/tokens';
import { Drawing } from '@stablecoin/testing/drawing';
import { Booked, Deposit, nameOf, nextStep, Transfer } from '../deposits/deposit';
import { ChainNodes } from '../nodes/chain-nodes';
import { transfersIn } from '../nodes/transfer-logs';
import { addressOf, hashOf, PlannedTransaction, SimulatedChain } from '../testing/simulated-chain';
import { BlockFollower } from './block-follower';
import { decideDeposits } from './decide-deposits';
import { FormerPass, parseFinality, settledHeights } from './finality';
import { sightingsIn, transfersOf } from './sightings';

const SEEDS = 100;
const STEPS = 40;
const FINALITY_DEPTH = 4;
const DEEPEST = 8;
const USDT = tokenOf('erc20', 'USDT')!.address.toLowerCase() as Hex;
const OURS = [0, 1, 2].map((index) => addressOf('ours', index));
const owners = new Map(
  OURS.map((address, index) => [
    address,
    { walletId: `w${index}`, merchantId: 'm', shard: 1, currency: 'USDT', networks: ['erc20'] },
  ]),
);
const NEXT: Record<string, Booked> = { record: 'recorded', confirm: 'completed', fail: 'failed', reverse: 'reversed' };

/** The walk without its database, and the ledger's side of each deposit. */
class WatchedChain {
  readonly deposits = new Map<string, Deposit>();
  readonly credited = new Map<string, bigint>();
  creditedUnfinal = 0;
  finalityBroken = 0;
  /** How many deposits were taken for gone whose transfers were on the chain. */
  goneOnChain = 0;
  private former: FormerPass | undefined;
  private tail: readonly Block[];
  private readonly follower: BlockFollower;

  constructor(readonly chain: SimulatedChain) {
    this.tail = [chain.head];
    const nodes = { ask: (_network: unknown, _source: unknown, question: () => unknown) => question() };
    this.follower = new BlockFollower(nodes as Pick<ChainNodes, 'ask'> as ChainNodes);
  }

  /** @param meanwhile what happens on the chain after its newest block was asked for, and before what is final is */
  async pass(meanwhile: () => void = () => undefined): Promise<void> {
    const { head } = this.chain;
    const followed = await this.follower.follow('erc20', this.chain, this.tail, head);
    const finality = parseFinality('finalized');
    const logs = await Promise.all(followed.blocks.map(({ hash }) => transfersIn(this.chain, hash)));
    const sightings = logs.flatMap((each) => sightingsIn({ network: 'erc20', finality }, each, owners));
    const tip = followed.tail.at(-1)?.number ?? 0;
    meanwhile();
    const finalized = Math.min(tip, this.chain.head.number - FINALITY_DEPTH);
    const replaced = new Set(followed.replaced.map(({ hash }) => hash));
    const heights = { finalized, agreed: tip };
    const settled = settledHeights(this.former, { ...followed, from: this.tail, head });
    const change = { network: 'erc20', replaced, sightings, heights, settled } as const;
    const changes = decideDeposits([...this.deposits.values()], change);
    const hashesOnChain = new Set(this.chain.transfers().map(({ transactionHash }) => transactionHash));
    this.goneOnChain += changes.moved.filter(
      ({ standing, transactionHash }) => standing === 'gone' && hashesOnChain.has(transactionHash),
    ).length;
    for (const deposit of [...changes.opened, ...changes.moved]) this.deposits.set(deposit.id, deposit);
    this.finalityBroken += changes.finalityBroken.length;
    this.tail = followed.tail;
    this.former = { tail: followed.tail, heights };
  }

  /** One step of a deposit, as the ledger books it. */
  book(deposit: Deposit): boolean {
    const step = nextStep(deposit);
    if (!step) return false;
    const onChain = new Set(this.chain.transfers().map(({ blockHash }) => blockHash));
    if (step === 'confirm') {
      if (!onChain.has(deposit.blockHash)) this.creditedUnfinal += 1;
      this.add(deposit.to, deposit.units);
    }
    if (step === 'reverse') this.add(deposit.to, -deposit.units);
    this.deposits.set(deposit.id, { ...deposit, booked: NEXT[step] as Booked });
    return true;
  }

  bookAll(): void {
    while ([...this.deposits.values()].some((deposit) => this.book(deposit)));
  }

  private add(address: Hex, units: bigint): void {
    this.credited.set(address, (this.credited.get(address) ?? 0n) + units);
  }
}

function drawTransaction(drawing: Drawing, made: number): PlannedTransaction {
  const transfers = Array.from({ length: 1 + drawing.below(3) }, () => ({
    token: USDT,
    from: addressOf('somebody'),
    to: drawing.oneOf([...OURS, addressOf('not ours')]),
    units: BigInt(drawing.below(1_000_000)),
  }));
  return { hash: hashOf('transaction', made), transfers };
}

async function watched(seed: number, breaksFinality: boolean): Promise<WatchedChain> {
  const drawing = new Drawing(seed);
  const chain = new SimulatedChain();
  const watch = new WatchedChain(chain);
  let [made, final] = [0, 0];
  let pending: PlannedTransaction[] = [];
  const mine = () => {
    const included = pending.filter(() => drawing.next() < 0.6);
    pending = pending.filter((transaction) => !included.includes(transaction));
    const fresh = Array.from({ length: drawing.below(3) }, () => drawTransaction(drawing, (made += 1)));
    chain.mine(drawing.shuffled([...included, ...fresh]));
  };
  for (let step = 0; step < STEPS; step += 1) {
    final = Math.max(final, chain.head.number - FINALITY_DEPTH);
    const replaceable = chain.head.number - (breaksFinality ? 0 : final);
    const depth = Math.min(1 + drawing.below(DEEPEST), replaceable);
    if (drawing.next() < 0.25 && depth > 0) {
      // Some of what was in the blocks is never included again.
      pending.push(...chain.drop(depth).filter(() => drawing.next() < 0.8));
      for (let again = drawing.below(depth + 2); again >= 0; again -= 1) mine();
    } else mine();
    const isOvertaken = drawing.next() < 0.3;
    if (drawing.next() < 0.7) await watch.pass(() => isOvertaken && Array.from({ length: 6 }, mine));
    for (const deposit of drawing.shuffled([...watch.deposits.values()])) if (drawing.next() < 0.5) watch.book(deposit);
  }
  const left = DEEPEST + FINALITY_DEPTH + 2;
  for (let block = 0; block < left; block += 1) chain.mine([]);
  await watch.pass();
  await watch.pass();
  await watch.pass();
  watch.bookAll();
  return watch;
}

/** Ordinals are counted block by block: a transaction is in one block. */
function onChain(chain: SimulatedChain): Transfer[] {
  const logs = chain.transfers();
  return [...new Set(logs.map(({ blockHash }) => blockHash))]
    .flatMap((hash) => transfersOf(logs.filter(({ blockHash }) => blockHash === hash)))
    .filter(({ to, units }) => OURS.includes(to) && units > 0n);
}

describe.each([
  ['never below what is final', false],
  ['also below what was final', true],
])('blocks are replaced %s', (_which, breaksFinality) => {
  it.each(Array.from({ length: SEEDS / 50 }, (_, part) => part))('in chains of part %i', async (part) => {
    for (let seed = part * 50; seed < (part + 1) * 50; seed += 1) {
      const watch = await watched(seed, breaksFinality);
      const deposits = [...watch.deposits.values()];
      const final = deposits.filter(({ standing }) => standing === 'final');
      const sent = onChain(watch.chain);
      expect({ seed, names: final.map(nameOf).sort() }).toEqual({ seed, names: sent.map(nameOf).sort() });
      expect(new Set(deposits.map(({ standing }) => standing))).not.toContain('included');
      expect(deposits.filter(({ standing, booked }) => standing === 'gone' && booked === 'completed')).toEqual([]);
      for (const address of OURS) {
        const received = sent.filter(({ to }) => to === address);
        const expected = received.reduce((sum, { units }) => sum + units, 0n);
        expect({ seed, address, units: watch.credited.get(address) ?? 0n }).toEqual({ seed, address, units: expected });
      }
      if (!breaksFinality) expect([watch.finalityBroken, watch.creditedUnfinal, watch.goneOnChain]).toEqual([0, 0, 0]);
    }
  });
});
