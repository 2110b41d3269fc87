import fc from 'fast-check';
import { Answer } from '../../client';
import { ADDRESSES } from '../../people';
import { Transaction as TransactionResponse } from '../../resources';
import { Currency, feeOn, isFinerThan, isStablecoin, printed, shown, unitsOf, worth } from '../amounts';
import { Disagreement, sameFields } from '../disagreement';
import { destinationOf, MERCHANT, Model, Outcome, OwnerName, Transaction, Wallet } from '../model';
import { agreed, Step } from '../step';
import { World } from '../world';
import { NOTHING_ELSE, newTransaction } from './deposits';
import { Account, account, accountIn, amount, isKeyed, ownerField, pick, picked } from './owners';

interface NewPayout extends TransactionResponse {
  amount_fiat: string;
  exchange_rate: string;
  fiat_reference_id: string | null;
  approval_hash: string | null;
}

/** How the sandbox's rail ends a payout; a held one waits for its outcome to be requested. */
const ENDS = { arrives: 'COMPLETED', fails: 'FAILED', 'comes back': 'REVERSED', 'is held': null } as const;
type End = keyof typeof ENDS;
/** Who says so: the recipient's name, or the end of the account number. */
const RECIPIENTS = {
  arrives: 'Ada Obi',
  fails: 'sandbox:fail',
  'comes back': 'sandbox:return',
  'is held': 'sandbox:hold',
};
const ACCOUNTS = { arrives: '0123456789', fails: '0123450001', 'comes back': '0123450002', 'is held': '0123450009' };

interface Destination {
  path: string;
  body: Record<string, unknown>;
  fields: Record<string, unknown>;
}

function bank(end: End, isByAccount: boolean, recipient_currency: string | undefined): Destination {
  const account_number = isByAccount ? ACCOUNTS[end] : ACCOUNTS.arrives;
  const recipient_name = isByAccount ? 'Ada Obi' : RECIPIENTS[end];
  const named = recipient_currency === undefined ? {} : { recipient_currency };
  const fields = { withdrawal_recipient_name: recipient_name, bank_code: '011', bank_account: account_number };
  return {
    path: '/payouts/banks',
    body: { account_number, bank_code: '011', recipient_name, ...named },
    fields: { ...fields, reason: `Payout to ${account_number} (011)`, crypto_transaction_id: null },
  };
}

function chain(end: End, network: 'erc20' | 'solana'): Destination {
  const address = ADDRESSES[network];
  const recipient_name = RECIPIENTS[end];
  return {
    path: '/payouts/wallets',
    body: { address, network, recipient_name },
    fields: { withdrawal_recipient_name: recipient_name, address, network, reason: `Payout to ${address}` },
  };
}

type Destined =
  { kind: 'bank'; isByAccount: boolean; currency?: string } | { kind: 'chain'; network: 'erc20' | 'solana' };

class PayOut extends Step {
  private owner: OwnerName = MERCHANT;
  private currency: Currency = 'USD';

  constructor(
    private readonly account: Account,
    private readonly amount: string,
    private readonly end: End,
    private readonly to: Destined,
    private readonly isKeyed: boolean,
  ) {
    super();
  }

  get words(): string {
    const { to } = this;
    const where = to.kind === 'bank' ? `to a bank${to.currency ? ` in ${to.currency}` : ''}` : `to ${to.network}`;
    return `pay ${this.amount} ${this.currency} of ${this.owner} out ${where}, which ${this.end}`;
  }

  private get recipientCurrency(): string {
    const named = this.to.kind === 'bank' ? this.to.currency : 'USD';
    return named ?? (isStablecoin(this.currency) ? 'USD' : this.currency);
  }

  protected isPossible(model: Model): boolean {
    ({ owner: this.owner, currency: this.currency } = accountIn(model, this.account));
    return model.exists(this.owner) && (this.to.kind === 'bank' || isStablecoin(this.currency));
  }

  async perform(model: Model, world: World): Promise<void> {
    const { owner, currency, to } = this;
    const wallet = model.wallet(owner, currency);
    await world.quiet(model, wallet);
    // A payout that fails by itself gives back what it has counted for, at an unknown moment.
    if (model.policy) await world.settled(model);
    const destination = to.kind === 'bank' ? bank(this.end, to.isByAccount, to.currency) : chain(this.end, to.network);
    const answer = await world.write<NewPayout>(this, this.isKeyed, {
      path: destination.path,
      body: { ...ownerField(model.idOf(owner)), currency, amount: this.amount, ...destination.body },
      other: { amount: '4321' },
      triedFirst: { model, wallets: [wallet] },
    });
    const wanted = unitsOf(this.amount);
    if (
      !agreed(world, answer, model.refusesPayout(owner, currency, wanted, destinationOf(destination.fields))) ||
      !wallet
    )
      return;
    const recipient = to.kind === 'bank' ? { recipient_currency: this.recipientCurrency } : {};
    const fields = { ...destination.fields, ...recipient };
    const payout = accept(model, wallet, wanted, ENDS[this.end], fields, answer.body.data);
    this.expectPrice(answer.body.data);
    sameFields('the payout', { ...model.printed(payout), crypto_transaction_id: null }, answer.body.data);
  }

  private expectPrice({ exchange_rate, amount_fiat, fiat_reference_id }: NewPayout): void {
    if (this.recipientCurrency === this.currency) sameFields('the payout', { exchange_rate: '1' }, { exchange_rate });
    const expected = { amount_fiat: printed(worth(unitsOf(this.amount), exchange_rate)), fiat_reference_id: null };
    sameFields('the payout', expected, { amount_fiat, fiat_reference_id });
  }
}

/** Holds amount and fee. */
function accept(
  model: Model,
  wallet: Wallet,
  amount: bigint,
  awaits: Transaction['awaits'],
  fields: Record<string, unknown>,
  { id, transaction_id, reference_id, created_at, exchange_rate, approval_hash }: NewPayout,
): Transaction {
  const identity = { id, transaction_id, reference_id, created_at };
  const fixed = { ...NOTHING_ELSE, ...fields, ...identity, sender_wallet_id: wallet.id, exchange_rate };
  model.move(wallet, -model.costOf(amount, wallet.currency));
  const payout = newTransaction(model, 'payout', { wallet, mode: 'DEBIT', amount, fixed });
  const since = wallet.balances.length - 1;
  const fee = feeOn(amount, wallet.currency, model.feeSchedule);
  if (!model.needsApproval(wallet.currency, amount)) {
    return Object.assign(payout, { status: 'PENDING', fee, awaits, since });
  }
  const waiting = { end: awaits, approvalHash: approval_hash ?? 'none' };
  return Object.assign(payout, { status: 'PENDING', fee, waiting, since });
}

/** Several at once, which together may exceed the balance: as many are accepted as there is money for. */
class PayOutAtOnce extends Step {
  private owner: OwnerName = MERCHANT;
  private currency: Currency = 'USD';

  constructor(
    private readonly account: Account,
    private readonly amount: string,
    private readonly count: number,
  ) {
    super();
  }

  get words(): string {
    return `pay ${this.amount} ${this.currency} of ${this.owner} out ${this.count} times at once, each of which is held`;
  }

  protected isPossible(model: Model): boolean {
    ({ owner: this.owner, currency: this.currency } = accountIn(model, this.account));
    if (isFinerThan(this.currency, unitsOf(this.amount))) return false;
    return model.wallet(this.owner, this.currency) !== undefined && !model.isClosed(this.owner);
  }

  async perform(model: Model, world: World): Promise<void> {
    const { owner, currency, count } = this;
    const wallet = model.wallet(owner, currency);
    if (!wallet) return;
    await world.quiet(model, wallet);
    if (model.policy) await world.settled(model);
    const { path, body, fields } = bank('is held', false, undefined);
    const request = { path, body: { ...ownerField(model.idOf(owner)), currency, amount: this.amount, ...body } };
    const [answers, tried] = await Promise.all([
      Promise.all(Array.from({ length: count }, () => world.write<NewPayout>(this, false, request))),
      Promise.all(Array.from({ length: count }, () => world.dryRun<NewPayout>(request.path, request.body))),
    ]);
    const wanted = unitsOf(this.amount);
    const cost = model.costOf(wanted, currency);
    const affordable = wallet.balance < 0n ? 0 : Math.min(count, Number(wallet.balance / cost));
    const to = destinationOf(fields);
    const allowed = Array.from({ length: count }).filter(
      (_, each) => !model.isOverLimit(wallet, wanted, to, each),
    ).length;
    const accepted = Math.min(affordable, allowed);
    const beyond = accepted === allowed ? '422 limit_exceeded' : '422 insufficient_funds';
    const codes = answers
      .map((answer) => (answer.status === 200 ? '200' : `${answer.status} ${answer.body.code}`))
      .sort();
    const expected = Array.from({ length: count }, (_, each) => (each < accepted ? '200' : beyond));
    world.end(codes.join(' | '));
    if (String(codes) !== String(expected)) throw new Disagreement(expected.join(' | '), codes.join(' | '));
    const left = wallet.balance - cost * BigInt(accepted);
    const isOver = model.isOverLimit(wallet, wanted, to, accepted);
    const refused = isOver ? '422 limit_exceeded' : '422 insufficient_funds';
    const next = isOver || left < cost ? refused : printed(left - cost);
    expectPossible(tried, wallet.balance, cost, accepted, next);
    const recipient_currency = isStablecoin(currency) ? 'USD' : currency;
    // In the order in which they took their money.
    const taken = answers.flatMap((answer) => (answer.status === 200 ? [answer.body.data] : []));
    taken.sort((one, other) => (unitsOf(other.balance) > unitsOf(one.balance) ? 1 : -1));
    for (const data of taken) {
      const payout = accept(model, wallet, wanted, null, { ...fields, recipient_currency }, data);
      sameFields(payout.label, model.printed(payout), data);
    }
  }
}

/**
 * Dry runs among the payouts: each was decided after some of these, however many.
 *
 * @param next what becomes of one more than were accepted
 */
function expectPossible(
  tried: readonly Answer<NewPayout>[],
  balance: bigint,
  cost: bigint,
  accepted: number,
  next: string,
): void {
  const left = Array.from({ length: accepted }, (_, before) => balance - cost * BigInt(before + 1));
  const possible = [...left.map(printed), next];
  for (const { status, body } of tried) {
    const came = status === 200 ? body.data.balance : `${status} ${body.code}`;
    if (!possible.includes(came)) throw new Disagreement(possible.join(' or '), came);
  }
}

class TellOutcome extends Step {
  readonly words: string;

  constructor(
    private readonly index: number,
    private readonly outcome: Outcome,
    private readonly isByCode: boolean,
    private readonly isKeyed: boolean,
  ) {
    super();
    this.words = `let payout number ${index} of the newest ${outcome}`;
  }

  protected isPossible(model: Model): boolean {
    return model.transactions.some(({ type }) => type === 'PAYOUT');
  }

  async perform(model: Model, world: World): Promise<void> {
    const payouts = model.transactions.filter(({ type }) => type === 'PAYOUT').reverse();
    const payout = picked(payouts, this.index);
    await world.settled(model, [payout]);
    await world.quiet(model, payout.wallet);
    await world.quiet(model, model.wallet(MERCHANT, payout.wallet.currency));
    const { label, wallet, amount: units, status } = payout;
    const which = `${label} (${shown(units)} ${wallet.currency} of ${wallet.owner}, ${status})`;
    world.saying(`let ${which} ${this.outcome}`);
    const name = this.isByCode ? payout.fixed.transaction_id : payout.fixed.id;
    const answer = await world.write<TransactionResponse>(this, this.isKeyed, {
      path: `/sandbox/payouts/${name}/${this.outcome}`,
    });
    if (!agreed(world, answer, model.refusesOutcome(payout, this.outcome))) return;
    model.resolve(payout, ({ complete: 'COMPLETED', fail: 'FAILED', return: 'REVERSED' } as const)[this.outcome]);
    sameFields(payout.label, model.printed(payout), answer.body.data);
    if (this.outcome === 'return' && model.isClosed(wallet.owner)) await passOn(model, world, payout);
  }
}

/**
 * What comes back to a closed customer goes on to the merchant, whose wallet is opened for it if there is none; what a reversed
 * deposit has left missing is covered first.
 */
async function passOn(model: Model, world: World, { wallet, fixed }: Transaction): Promise<void> {
  const total = wallet.balance;
  if (total <= 0n) return;
  const reference = String(fixed['reference_id']);
  const found = await world.read<TransactionResponse[]>(`/customers/transactions/by_ref_id/${reference}`);
  const [credit, debit] = ['CREDIT', 'DEBIT'].map((mode) =>
    found.body.data.find((one) => one.transaction_type === 'INTERNAL TRANSFER' && one.transaction_mode === mode),
  );
  if (!credit || !debit) throw new Disagreement('the money to go on to the merchant', 'no transfer');
  const receiving = model.openWallet(String(credit.receiver_wallet_id), MERCHANT, wallet.currency, undefined);
  const fixedOf = ({ id: own, transaction_id, created_at }: TransactionResponse) => ({
    ...NOTHING_ELSE,
    ...{ crypto_transaction_id: null, id: own, transaction_id, created_at, reference_id: reference },
    ...{ sender_wallet_id: wallet.id, receiver_wallet_id: receiving.id },
    reason: `Return of ${String(fixed['transaction_id'])}, whose customer is closed`,
  });
  model.move(wallet, -total);
  const sent = { wallet, mode: 'DEBIT' as const, amount: total, fixed: fixedOf(debit) };
  sameFields('what is sent on', model.printed(newTransaction(model, 'transfer, its debit,', sent)), debit);
  model.move(receiving, total);
  const received = { wallet: receiving, mode: 'CREDIT' as const, amount: total, fixed: fixedOf(credit) };
  sameFields('what is received', model.printed(newTransaction(model, 'transfer, its credit,', received)), credit);
}

/** Another key approves a payout that waits, or the creator's own tries to, or over another hash; or it is rejected. */
class JudgePayout extends Step {
  readonly words: string;

  constructor(
    private readonly index: number,
    private readonly word: 'approve' | 'reject',
    private readonly by: 'creator' | 'approver',
    private readonly isHashRight: boolean,
    private readonly isByCode: boolean,
  ) {
    super();
    const over = word === 'reject' || isHashRight ? '' : ' over another hash';
    this.words = `let the ${by} ${word} payout number ${index} of the newest${over}`;
  }

  protected isPossible(model: Model): boolean {
    return model.policy?.approval !== undefined && model.transactions.some(({ type }) => type === 'PAYOUT');
  }

  async perform(model: Model, world: World): Promise<void> {
    const { word, by } = this;
    // Mostly one that waits, where there is one.
    const payouts = model.transactions.filter(({ type }) => type === 'PAYOUT').reverse();
    const waiting = payouts.filter((each) => each.waiting !== null);
    const payout = picked(waiting.length > 0 && this.index > 0 ? waiting : payouts, this.index);
    await world.settled(model, [payout]);
    await world.quiet(model, payout.wallet);
    world.saying(`let the ${by} ${word} ${payout.label} (${payout.status})`);
    const name = this.isByCode ? payout.fixed.transaction_id : payout.fixed.id;
    const right = payout.waiting?.approvalHash ?? '0'.repeat(64);
    const approval_hash = this.isHashRight ? right : 'f'.repeat(64);
    const body = word === 'approve' ? { approval_hash } : {};
    const answer = await world.judge<TransactionResponse>(by, `/payouts/${name}/${word}`, body);
    const verdict = model.refusesApproval(payout, by, word === 'reject' || this.isHashRight);
    if (!agreed(world, answer, verdict)) return;
    const { waiting: judged } = payout;
    if (word === 'reject') model.resolve(payout, 'FAILED');
    else
      Object.assign(payout, { waiting: null, awaits: judged?.end ?? null, since: payout.wallet.balances.length - 1 });
    sameFields(payout.label, { ...model.printed(payout), crypto_transaction_id: null }, answer.body.data);
  }
}

const end = fc.constantFrom<End>('is held', 'is held', 'is held', 'arrives', 'fails', 'comes back');
const recipientCurrency = fc.constantFrom(undefined, undefined, undefined, 'EUR', 'NGN');
const toBank = fc
  .tuple(fc.boolean(), recipientCurrency)
  .map(([isByAccount, into]) => ({ kind: 'bank' as const, isByAccount, ...(into && { currency: into }) }));
const toChain = fc
  .constantFrom<'erc20' | 'solana'>('erc20', 'solana')
  .map((network) => ({ kind: 'chain' as const, network }));
const outcome = fc.constantFrom<Outcome>('complete', 'complete', 'complete', 'fail', 'fail', 'return', 'return');

export const payouts = fc
  .tuple(account, amount, end, fc.oneof(toBank, toBank, toChain), isKeyed)
  .map((drawn) => new PayOut(...drawn));
export const payoutsAtOnce = fc
  .tuple(account, amount, fc.integer({ min: 2, max: 6 }))
  .map((drawn) => new PayOutAtOnce(...drawn));
export const outcomes = fc.tuple(pick, outcome, fc.boolean(), isKeyed).map((drawn) => new TellOutcome(...drawn));
const word = fc.constantFrom<'approve' | 'reject'>('approve', 'approve', 'reject');
const judge = fc.constantFrom<'creator' | 'approver'>('approver', 'approver', 'approver', 'creator');
export const judgements = fc
  .tuple(pick, word, judge, fc.constantFrom(true, true, false), fc.boolean())
  .map((drawn) => new JudgePayout(...drawn));
