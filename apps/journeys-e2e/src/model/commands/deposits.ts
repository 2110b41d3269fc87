import fc from 'fast-check';
import { Transaction as TransactionResponse } from '../../resources';
import { HELD_DEPOSIT } from '../../writes';
import { Currency, printed, shown, unitsOf } from '../amounts';
import { sameFields } from '../disagreement';
import { DepositOutcome, MERCHANT, Model, OwnerName, Transaction } from '../model';
import { agreed, Step } from '../step';
import { World } from '../world';
import { Account, account, accountIn, isKeyed, pick, picked } from './owners';

/** Which network a deposit comes on: none is named, one of the wallet's, or one that the wallet lacks. */
type Network = 'unnamed' | 'named' | 'foreign';

class Deposit extends Step {
  private owner: OwnerName = MERCHANT;
  private currency: Currency = 'USD';

  constructor(
    private readonly account: Account,
    private readonly amount: string,
    private readonly network: Network,
    private readonly index: number,
    private readonly reference: string | undefined,
    private readonly isKeyed: boolean,
  ) {
    super();
  }

  get words(): string {
    const on = { unnamed: '', named: ' on a network of the wallet', foreign: ' on a network that the wallet lacks' };
    const held = this.reference === HELD_DEPOSIT ? ', not final' : '';
    return `deposit ${this.amount} ${this.currency} for ${this.owner}${on[this.network]}${held}`;
  }

  protected isPossible(model: Model): boolean {
    ({ owner: this.owner, currency: this.currency } = accountIn(model, this.account));
    const wallet = model.wallet(this.owner, this.currency);
    if (!wallet) return false;
    if (this.network === 'foreign') return !model.isClosed(this.owner) && !wallet.networks.includes('bep20');
    return this.network === 'unnamed' || wallet.networks.length > 0;
  }

  async perform(model: Model, world: World): Promise<void> {
    const wallet = model.wallet(this.owner, this.currency);
    if (!wallet) return;
    await world.quiet(model, wallet);
    const named = { unnamed: undefined, named: picked(wallet.networks, this.index), foreign: 'bep20' }[this.network];
    const said = {
      ...(named !== undefined && { network: named }),
      ...(this.reference && { reference: this.reference }),
    };
    const answer = await world.write<TransactionResponse>(this, this.isKeyed, {
      path: '/sandbox/deposits',
      body: { wallet_id: wallet.id, amount: this.amount, ...said },
      other: { amount: '4321' },
    });
    const closed = model.isClosed(this.owner) ? 'customer_closed' : null;
    if (!agreed(world, answer, this.network === 'foreign' ? 'validation_failed' : closed)) return;
    const before = wallet.balance;
    const network = named ?? wallet.networks[0] ?? null;
    const { id, transaction_id, reference_id, created_at } = answer.body.data;
    const fixed = {
      ...NOTHING_ELSE,
      id,
      transaction_id,
      reference_id,
      created_at,
      receiver_wallet_id: wallet.id,
      network,
      crypto_transaction_id: network === null ? null : (this.reference ?? null),
      reason: network === null ? (this.reference ?? null) : null,
    };
    const deposit = newTransaction(model, 'deposit', { wallet, mode: 'CREDIT', amount: unitsOf(this.amount), fixed });
    const recorded = { ...model.printed(deposit), status: 'PENDING', balance: printed(before) };
    sameFields('the deposit', recorded, answer.body.data);
    if (this.reference === HELD_DEPOSIT) deposit.status = 'PENDING';
    else deposit.balance = model.move(wallet, deposit.amount);
  }
}

class TellDepositOutcome extends Step {
  readonly words: string;

  constructor(
    private readonly index: number,
    private readonly outcome: DepositOutcome,
    private readonly isByCode: boolean,
    private readonly isKeyed: boolean,
  ) {
    super();
    this.words = `let deposit number ${index} of the newest ${outcome}`;
  }

  protected isPossible(model: Model): boolean {
    return model.transactions.some(({ type }) => type === 'DEPOSIT');
  }

  async perform(model: Model, world: World): Promise<void> {
    const all = model.transactions.filter(({ type }) => type === 'DEPOSIT').reverse();
    const deposit = picked(all, this.index);
    const { label, wallet, amount: units, status, fixed } = deposit;
    await world.quiet(model, wallet);
    const which = `${label} (${shown(units)} ${wallet.currency} of ${wallet.owner}, ${status})`;
    world.saying(`let ${which} ${this.outcome}`);
    const answer = await world.write<TransactionResponse>(this, this.isKeyed, {
      path: `/sandbox/deposits/${this.isByCode ? fixed.transaction_id : fixed.id}/${this.outcome}`,
    });
    if (!agreed(world, answer, model.refusesDepositOutcome(deposit, this.outcome))) return;
    model.endDeposit(deposit, this.outcome);
    sameFields(label, model.printed(deposit), answer.body.data);
  }
}

/** Every field that a look-up prints and that is null unless something says otherwise. */
export const NOTHING_ELSE = {
  sender_wallet_id: null,
  receiver_wallet_id: null,
  network: null,
  exchange_rate: null,
  withdrawal_recipient_name: null,
  reason: null,
  recipient_currency: null,
  recipient_country: null,
  bank_name: null,
  bank_code: null,
  bank_account: null,
  address: null,
};

const TYPES = {
  deposit: 'DEPOSIT',
  payout: 'PAYOUT',
  'swap, its debit,': 'INTERNAL TRANSFER',
  'swap, its credit,': 'INTERNAL TRANSFER',
  'transfer, its debit,': 'INTERNAL TRANSFER',
  'transfer, its credit,': 'INTERNAL TRANSFER',
};

/** Writes a transaction down, COMPLETED and with the wallet's balance as it is. */
export function newTransaction(
  model: Model,
  kind: keyof typeof TYPES,
  said: Pick<Transaction, 'wallet' | 'mode' | 'amount'> & { fixed: Transaction['fixed'] & { created_at: string } },
): Transaction {
  const transaction: Transaction = {
    label: model.labelled(kind),
    type: TYPES[kind] as Transaction['type'],
    fee: null,
    status: 'COMPLETED',
    balance: said.wallet.balance,
    created_at: said.fixed.created_at,
    awaits: null,
    waiting: null,
    since: said.wallet.balances.length,
    ...said,
  };
  model.transactions.push(transaction);
  return transaction;
}

const network = fc.constantFrom<Network>('unnamed', 'unnamed', 'unnamed', 'named', 'foreign');
const amount = fc.constantFrom('100', '100', '1000', '50.5', '0.00000001', '33.33333333', '10');
const reference = fc.constantFrom(undefined, undefined, 'invoice 7', HELD_DEPOSIT);
const outcome = fc.constantFrom<DepositOutcome>('complete', 'complete', 'fail', 'reverse', 'reverse');

export const deposits = fc
  .tuple(account, amount, network, pick, reference, isKeyed)
  .map((drawn) => new Deposit(...drawn));

export const depositOutcomes = fc
  .tuple(pick, outcome, fc.boolean(), isKeyed)
  .map((drawn) => new TellDepositOutcome(...drawn));
