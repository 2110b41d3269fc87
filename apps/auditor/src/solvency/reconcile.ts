/**
 * Holds what is on a chain against what the ledger has booked through it, for one token of one network, to the last unit.
 *
 * What we hold can only have come or gone in four ways, each of which is looked at where it can be seen:
 *
 *   held = put in by us                      transfers into hot and cold from elsewhere, and those out that an auditor names
 *        + deposits on the chain             seen by the watcher; each deposit address has exactly those, less its sweeps
 *        - what left hot and cold            by their own transfers, read from the nodes
 *        + what no transfer tells            balances that differ from the transfers: always a finding
 *
 * and what the ledger has booked through the network's outside account is held against it movement by movement:
 *
 *   held = put in + booked + under way + not owed + findings
 *
 * So each unit is in one line, and whatever is in no other is a finding: a deposit that was credited and is not on the
 * chain, one that was credited twice, a token that is missing, a transfer out without a payout, a payout that left twice.
 */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { DepositStanding, TransferKind, TransferState } from '@stablecoin/contracts/chain/views';
import { Amount, printed, sumOf } from './amounts';
import { Decision, decisionText, judged, JudgedDecision, KnownActs, Resolution } from './decisions';

/** A deposit or payout of the ledger on this network. */
export interface LedgerMovement {
  id: string;
  transactionId: string;
  merchantId: string;
  walletId: string;
  type: 'DEPOSIT' | 'PAYOUT';
  /** When it was read, which may be after the statement. */
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'REVERSED';
  amount: Amount;
  /** Through the outside account up to the statement: what came in, below zero what went out. */
  booked: Amount;
  /** In lower case; null where it has none, or what the sandbox calls it. */
  transactionHash: Hex | null;
}

/** A transfer to a deposit address, as the watcher has it. */
export interface SeenDeposit {
  id: string;
  transactionHash: Hex;
  to: Hex;
  held: Amount;
  /** Of it, what is finer than the ledger's smallest unit. */
  rest: Amount;
  blockNumber: number;
  standing: DepositStanding;
  booked: string;
  merchantId: string;
  ledgerId: string | null;
  /** What operators have decided on it, newest first. */
  decisions: readonly Decision[];
  /** Of the newest. */
  resolution: Resolution | null;
  /** The wallet that an operator has named. */
  creditedTo: string | null;
  /** The transaction that is said to have returned it. */
  returnedBy: Hex | null;
}

/** A transfer into or out of hot or cold, up to the block. */
export interface TreasuryTransfer {
  transactionHash: Hex;
  logIndex: number;
  from: Hex;
  to: Hex;
  amount: Amount;
}

/** An order of the sender, with the names of all transactions that were signed for it. */
export interface Order {
  reference: string;
  kind: TransferKind;
  state: TransferState;
  to: Hex;
  amount: Amount;
  hashes: readonly Hex[];
}

export interface Books {
  blockNumber: number;
  /** By address, in lower case. */
  balances: ReadonlyMap<Hex, Amount>;
  /** The wallets whose deposit address it is, by address in lower case. */
  wallets: ReadonlyMap<Hex, readonly string[]>;
  treasury: ReadonlySet<Hex>;
  transfers: readonly TreasuryTransfer[];
  deposits: readonly SeenDeposit[];
  orders: readonly Order[];
  movements: readonly LedgerMovement[];
  /** Booked at the outside account for transactions that the ledger doesn't have. */
  bookedOtherwise: Amount;
  /** Transactions by which the treasury itself took something out, as the auditor knows them. */
  takenOut: ReadonlySet<Hex>;
  /** Ids of movements whose transfers were found in a block after this one. */
  later: ReadonlySet<string>;
  /** Merchants whose money is play money. */
  leftOut: ReadonlySet<string>;
  /** What operators have recorded, where the auditor was given that. */
  acts?: KnownActs | undefined;
}

/** What is neither put in nor booked, and has its reason. In the order in which it is printed. */
export const EXPLANATIONS = {
  uncredited: 'deposits seen, not credited at the checkpoint',
  'credited-later': 'deposits credited, in a later block',
  paid: 'payouts that left, not completed at the checkpoint',
  'paid-later': 'payouts completed, in a later block',
  unrecognised: 'deposits not recognised, which an operator has to resolve',
  returned: 'unrecognised deposits to be sent back, less those that were',
  'left-out': 'deposits of merchants that are left out',
  'not-credited': 'deposits that failed, were reversed or are ignored, and are on the chain',
  rest: 'what of credited deposits is finer than the ledger',
} as const;
export type Explanation = keyof typeof EXPLANATIONS;
/** What is no customer's: it stays with us. */
export const OURS: readonly Explanation[] = ['not-credited', 'rest'];

export interface Line {
  items: number;
  amount: Amount;
}

export interface Finding {
  amount: Amount;
  /** One sentence without the amount. */
  problem: string;
}

export interface Reconciliation {
  held: Amount;
  /** Of the treasury's own: came from elsewhere, less what it took out. */
  putIn: Line;
  takenOut: Line;
  booked: Amount;
  explained: Record<Explanation, Line>;
  /** What operators have decided, or is said to have been decided by them. */
  decisions: JudgedDecision[];
  findings: Finding[];
}

export function reconcile(books: Books): Reconciliation {
  return new Reconciler(books).result();
}

const PAYOUT_REFERENCE = /^payout-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Deposits that count: on the chain, up to the block. */
export const isInBlock = ({ standing, blockNumber }: SeenDeposit, until: number): boolean =>
  (standing === 'included' || standing === 'final') && blockNumber <= until;

class Reconciler {
  private readonly putIn: Line = { items: 0, amount: 0n };
  private readonly takenOut: Line = { items: 0, amount: 0n };
  private readonly explained = Object.fromEntries(
    Object.keys(EXPLANATIONS).map((name) => [name, { items: 0, amount: 0n }]),
  ) as Record<Explanation, Line>;
  private readonly findings: Finding[] = [];
  /** Came, are owed to no one, and are said to have been sent back. */
  private readonly returnable: SeenDeposit[] = [];
  private readonly movements: ReadonlyMap<string, LedgerMovement>;
  /** Movements whose transfer was found on the chain. */
  private readonly matched = new Set<string>();

  constructor(private readonly books: Books) {
    this.movements = new Map(books.movements.map((movement) => [movement.id, movement]));
  }

  result(): Reconciliation {
    const { books } = this;
    this.compareBalances();
    const decisions = this.judgeDecisions();
    this.followDeposits();
    this.followTransfers();
    this.followMovements();
    if (books.bookedOtherwise !== 0n)
      this.find(
        -books.bookedOtherwise,
        'the outside account has postings of transactions that the ledger does not have',
      );
    const counted = books.movements.filter(({ merchantId }) => !books.leftOut.has(merchantId));
    const { putIn, takenOut, explained, findings } = this;
    const booked = sumOf(counted.map((movement) => movement.booked)) + books.bookedOtherwise;
    const held = sumOf([...books.balances.values()]);
    const told = sumOf([...Object.values(explained), ...findings].map(({ amount }) => amount));
    // Each step above accounts for what it takes away elsewhere: were this not zero, one of them would have lost something.
    const lost = held - (putIn.amount + takenOut.amount + booked + told);
    if (lost !== 0n) throw new Error(`a reconciliation that loses ${printed(lost)}`);
    return { held, putIn, takenOut, booked, explained, decisions, findings };
  }

  /** A deposit address has its deposits less its sweeps; hot and cold what came in less what went out. */
  private compareBalances(): void {
    const { books } = this;
    const told = new Map([...books.balances.keys()].map((address) => [address, 0n]));
    const add = (address: Hex, amount: Amount): boolean => {
      const before = told.get(address);
      if (before !== undefined) told.set(address, before + amount);
      return before !== undefined;
    };
    for (const deposit of books.deposits) {
      if (!isInBlock(deposit, books.blockNumber) || add(deposit.to, deposit.held)) continue;
      this.find(-deposit.held, `the watcher has deposit ${deposit.id} to ${deposit.to}, no address of the ledger's`);
    }
    for (const { from, to, amount } of books.transfers) {
      add(from, -amount);
      if (books.treasury.has(to)) add(to, amount);
    }
    for (const [address, balance] of books.balances) {
      const difference = balance - (told.get(address) ?? 0n);
      if (difference === 0n) continue;
      this.find(difference, `${this.nameOf(address)} ${address} ${WRONG[difference < 0n ? 'less' : 'more']}`);
    }
  }

  private nameOf(address: Hex): string {
    return this.books.treasury.has(address) ? 'the wallet' : 'the deposit address';
  }

  private judgeDecisions(): JudgedDecision[] {
    const { deposits, acts } = this.books;
    const decisions = deposits.flatMap(({ id, decisions: each }) => each.map((one) => judged(id, one, acts)));
    for (const decision of decisions)
      if (decision.act === null)
        this.find(0n, `transfer ${decision.deposit} was ${decisionText(decision)}, and no act of operators says so`);
    // The service writes both in one commit.
    for (const { id, held, booked, decisions: each } of deposits)
      if (booked === 'resolved' && each.length === 0)
        this.find(0n, `transfer ${id} of ${printed(held)} counts as resolved, and no operator has decided on it`);
    return decisions;
  }

  private followDeposits(): void {
    const { books } = this;
    for (const deposit of books.deposits) {
      if (!isInBlock(deposit, books.blockNumber)) continue;
      const movement = this.movementOf(deposit);
      this.compareWallets(deposit, movement);
      if (movement === undefined) {
        const explanation = explanationOf(deposit);
        this.explain(explanation, deposit.held);
        if (explanation === 'returned') this.returnable.push(deposit);
      } else if (books.leftOut.has(movement.merchantId)) this.explain('left-out', deposit.held);
      else if (movement.booked > 0n) {
        if (deposit.rest > 0n) this.explain('rest', deposit.rest);
      } else
        this.explain(
          movement.status === 'PENDING' || movement.status === 'COMPLETED' ? 'uncredited' : 'not-credited',
          deposit.held,
        );
    }
  }

  /** Whose address it is says the ledger's log; to whom it is credited, the watcher, unless an operator has decided it. */
  private compareWallets({ id, to, held, creditedTo }: SeenDeposit, movement: LedgerMovement | undefined): void {
    const wallets = this.books.wallets.get(to);
    if (movement === undefined || wallets === undefined) return;
    if (wallets.includes(movement.walletId) || creditedTo === movement.walletId) return;
    const credited = `deposit ${movement.transactionId} (${movement.id}) is wallet ${movement.walletId}'s`;
    this.find(
      0n,
      `${credited}, and the ${printed(held)} of transfer ${id} came to ${to}, which is another wallet's address`,
    );
  }

  /** The ledger's transaction of a deposit: what the watcher says counts only where both say the same, and once. */
  private movementOf({ ledgerId, transactionHash, held, rest }: SeenDeposit): LedgerMovement | undefined {
    const movement = ledgerId === null ? undefined : this.movements.get(ledgerId);
    const isIt =
      movement?.type === 'DEPOSIT' && movement.transactionHash === transactionHash && movement.amount === held - rest;
    if (!isIt || this.matched.has(movement.id)) return undefined;
    this.matched.add(movement.id);
    return movement;
  }

  private followTransfers(): void {
    const { books } = this;
    const returns = returnsOf(this.returnable);
    const orders = new Map(books.orders.flatMap((order) => order.hashes.map((hash) => [hash, order] as const)));
    const payouts = new Map(
      books.movements.flatMap((movement) =>
        movement.type === 'PAYOUT' && movement.transactionHash ? [[movement.transactionHash, movement] as const] : [],
      ),
    );
    for (const transfer of books.transfers) {
      const { from, to, amount, transactionHash } = transfer;
      if (!books.treasury.has(from)) {
        // A sweep only changes which address of ours holds it.
        if (!books.balances.has(from)) this.add(this.putIn, amount);
      } else if (books.treasury.has(to)) continue;
      else if (books.takenOut.has(transactionHash)) this.add(this.takenOut, -amount);
      else if (takeReturn(returns, transfer)) this.explain('returned', -amount);
      else this.followPayout(transfer, payoutOf(orders.get(transactionHash), this.movements, payouts, transfer));
    }
  }

  private followPayout({ transactionHash, amount, to }: TreasuryTransfer, payout: LedgerMovement | undefined): void {
    const of = payout && `payout ${payout.transactionId} (${payout.id})`;
    const gone = (why: string) => this.find(-amount, `${transactionHash} to ${to} ${why}`);
    if (payout === undefined) return gone('left without a payout');
    if (payout.amount !== amount) return gone(`left for ${of}, which is of ${printed(payout.amount)}`);
    if (this.matched.has(payout.id)) return gone(`left for ${of}, which has left before`);
    this.matched.add(payout.id);
    if (this.books.leftOut.has(payout.merchantId)) return gone(`left for ${of} of a merchant that is left out`);
    if (payout.booked < 0n) return;
    if (payout.status === 'PENDING' || payout.status === 'COMPLETED') return this.explain('paid', -amount);
    gone(`left for ${of}, which is ${payout.status}`);
  }

  /** What the ledger has booked, and no transfer up to the block was found for. */
  private followMovements(): void {
    for (const movement of this.books.movements) {
      const { id, transactionId, type, booked, merchantId } = movement;
      if (booked === 0n || this.matched.has(id) || this.books.leftOut.has(merchantId)) continue;
      const isLater = this.books.later.has(id);
      const named = `${transactionId} (${id}, merchant ${merchantId})`;
      if (isLater) this.explain(type === 'DEPOSIT' ? 'credited-later' : 'paid-later', -booked);
      else if (type === 'DEPOSIT') this.find(-booked, `deposit ${named} was credited, and is not on the chain`);
      else this.find(-booked, `payout ${named} was completed, and has not left`);
    }
  }

  private explain(explanation: Explanation, amount: Amount): void {
    this.add(this.explained[explanation], amount);
  }

  private add(line: Line, amount: Amount): void {
    line.items += 1;
    line.amount += amount;
  }

  private find(amount: Amount, problem: string): void {
    this.findings.push({ amount, problem });
  }
}

const WRONG = {
  less: 'holds less than its transfers say',
  more: 'holds more than its transfers say',
} as const;

function explanationOf({ booked, resolution }: SeenDeposit): Explanation {
  if (booked === 'unrecognised') return 'unrecognised';
  if (resolution === 'returned') return 'returned';
  return booked === 'failed' || booked === 'reversed' || booked === 'resolved' ? 'not-credited' : 'uncredited';
}

/** By the transaction that is said to have sent it back, what may have left by it. */
function returnsOf(deposits: readonly SeenDeposit[]): Map<Hex, SeenDeposit[]> {
  const returns = new Map<Hex, SeenDeposit[]>();
  for (const deposit of deposits)
    if (deposit.returnedBy) returns.set(deposit.returnedBy, [...(returns.get(deposit.returnedBy) ?? []), deposit]);
  return returns;
}

function takeReturn(returns: Map<Hex, SeenDeposit[]>, { transactionHash, amount }: TreasuryTransfer): boolean {
  const named = returns.get(transactionHash) ?? [];
  const found = named.findIndex(({ held }) => held >= amount);
  if (found < 0) return false;
  named.splice(found, 1);
  return true;
}

/** By its order, else by the name that the ledger was given: the sender's books may be the ones that were lost. */
function payoutOf(
  order: Order | undefined,
  movements: ReadonlyMap<string, LedgerMovement>,
  byHash: ReadonlyMap<Hex, LedgerMovement>,
  { transactionHash, to }: TreasuryTransfer,
): LedgerMovement | undefined {
  const id = order?.kind === 'payout' && order.to === to ? PAYOUT_REFERENCE.exec(order.reference)?.[1] : undefined;
  const ordered = id === undefined ? undefined : movements.get(id);
  return ordered?.type === 'PAYOUT' ? ordered : byHash.get(transactionHash);
}
