import fc from 'fast-check';
import { InnerEnvelope, Quote as QuoteResponse, Swap as SwapResponse } from '../../resources';
import { Currency, exchanged, printed, shown, unitsOf } from '../amounts';
import { sameFields } from '../disagreement';
import { MERCHANT, Model, OwnerName, Quote } from '../model';
import { agreed, Step } from '../step';
import { World } from '../world';
import { NOTHING_ELSE, newTransaction } from './deposits';
import { Account, account, accountIn, amount, currency, isKeyed, ownerField, pick, picked } from './owners';

/** A quote this close to its expiry is not used: it would depend on chance which of the two clocks is ahead. */
const NEAR_EXPIRY_MS = 5_000;

const isFresh = ({ expiresAt }: Quote) => expiresAt > Date.now() + NEAR_EXPIRY_MS;
const fresh = (model: Model) => model.quotes.filter(isFresh);

const inWords = ({ label, amount, from, to, owner }: Quote) =>
  `${label} (${shown(amount)} ${from} into ${to} of ${owner})`;
const HOW = { named: 'naming it', unnamed: 'not naming it', unquoted: 'but for an amount of its own' };

class AskQuote extends Step {
  private owner: OwnerName = MERCHANT;
  private from: Currency = 'USD';
  private to: Currency = 'USD';

  constructor(
    private readonly account: Account,
    private readonly into: Currency,
    private readonly amount: string,
    private readonly isKeyed: boolean,
  ) {
    super();
  }

  get words(): string {
    return `quote ${this.amount} ${this.from} into ${this.to} for ${this.owner}`;
  }

  /** Mostly from one wallet of the owner into another. */
  protected isPossible(model: Model): boolean {
    ({ owner: this.owner, currency: this.from } = accountIn(model, this.account));
    const others = model.wallets.filter(({ owner, currency: of }) => owner === this.owner && of !== this.from);
    const { index } = this.account;
    this.to = index === undefined || others.length === 0 ? this.into : picked(others, index).currency;
    return model.exists(this.owner);
  }

  async perform(model: Model, world: World): Promise<void> {
    const { owner, from, to } = this;
    const asked = unitsOf(this.amount);
    const answer = await world.write<InnerEnvelope>(this, this.isKeyed, {
      path: '/instant-swaps',
      body: { ...ownerField(model.idOf(owner)), from_currency: from, to_currency: to, amount: this.amount },
      other: { amount: '4321' },
    });
    if (!agreed(world, answer, model.refusesQuote(owner, from, to, asked))) return;
    const { data } = answer.body.data;
    const label = `quote ${model.quotes.length + 1}`;
    const quote = { id: data.id, label, owner, from, to, amount: asked, price: '', used: false, rank: 0, expiresAt: 0 };
    model.quotes.push(quote);
    expectQuote(model, quote, data);
    model.renew(quote, data.quoted_price, data.expires_at);
  }
}

function expectQuote(model: Model, { id, from, to, amount }: Quote, data: QuoteResponse): void {
  const price = model.priceOf(from, to);
  const expected = {
    id,
    from_currency: from,
    to_currency: to,
    quoted_price: price,
    quoted_currency: to,
    from_amount: printed(amount),
    to_amount: printed(exchanged(amount, price, to)),
    confirmed: false,
  };
  sameFields('the quote', expected, data);
}

type Slip = 'none' | 'another amount' | 'another owner';

class RefreshQuote extends Step {
  readonly words: string;

  constructor(
    private readonly index: number,
    private readonly slip: Slip,
    private readonly isKeyed: boolean,
  ) {
    super();
    this.words = `refresh quote number ${index}${slip === 'none' ? '' : `, naming ${slip}`}`;
  }

  protected isPossible(model: Model): boolean {
    const quotes = fresh(model);
    if (quotes.length === 0) return false;
    const quote = picked(quotes, this.index);
    return (
      this.slip === 'none' ||
      (!quote.used && !model.isClosed(quote.owner) && this.otherOwner(model, quote) !== undefined)
    );
  }

  private otherOwner(model: Model, { owner }: Quote): OwnerName | undefined {
    return model.customers.find(({ name, status }) => name !== owner && status === 'active')?.name;
  }

  async perform(model: Model, world: World): Promise<void> {
    const quote = picked(fresh(model), this.index);
    const { from, to } = quote;
    world.saying(`refresh ${inWords(quote)}${this.slip === 'none' ? '' : `, naming ${this.slip}`}`);
    const owner = (this.slip === 'another owner' && this.otherOwner(model, quote)) || quote.owner;
    const asked = this.slip === 'another amount' ? quote.amount + 1n : quote.amount;
    const body = { from_currency: from, to_currency: to, from_amount: printed(asked) };
    const answer = await world.write<InnerEnvelope>(this, this.isKeyed, {
      path: `/swaps/${quote.id}/refresh`,
      body: { ...ownerField(model.idOf(owner)), ...body },
      other: { from_amount: '4321' },
    });
    if (!agreed(world, answer, model.refusesRefresh(quote, { owner, from, to, amount: asked }))) return;
    const { data } = answer.body.data;
    expectQuote(model, quote, data);
    model.renew(quote, data.quoted_price, data.expires_at);
  }
}

class ExecuteSwap extends Step {
  readonly words: string;

  constructor(
    private readonly index: number,
    private readonly way: 'named' | 'unnamed' | 'unquoted',
    private readonly slip: Slip,
    private readonly isKeyed: boolean,
  ) {
    super();
    this.words = `swap by quote number ${index}, ${HOW[way]}${slip === 'none' ? '' : `, and ${slip}`}`;
  }

  protected isPossible(model: Model): boolean {
    const quotes = fresh(model);
    if (quotes.length === 0 || quotes.length < model.quotes.length) return false;
    const { owner, used } = picked(quotes, this.index);
    // The API does not specify whether it refuses the used quote or the other amount first.
    if (this.slip === 'another amount' && this.way === 'named' && used) return false;
    return this.slip !== 'another owner' || (!model.isClosed(owner) && this.otherOwner(model, owner) !== undefined);
  }

  private otherOwner(model: Model, owner: OwnerName): OwnerName | undefined {
    return model.customers.find(({ name, status }) => name !== owner && status === 'active')?.name;
  }

  async perform(model: Model, world: World): Promise<void> {
    const chosen = picked(fresh(model), this.index);
    const { from, to } = chosen;
    world.saying(`swap by ${inWords(chosen)}, ${HOW[this.way]}${this.slip === 'none' ? '' : `, and ${this.slip}`}`);
    const owner = (this.slip === 'another owner' && this.otherOwner(model, chosen.owner)) || chosen.owner;
    const isOdd = this.slip === 'another amount' || this.way === 'unquoted';
    const asked = { owner, from, to, amount: isOdd ? chosen.amount + 12_345n : chosen.amount };
    await world.quiet(model, model.wallet(owner, from));
    await world.quiet(model, model.wallet(owner, to));
    const named = this.way === 'named' ? chosen : undefined;
    const pair = { from_currency: from, to_currency: to, amount: printed(asked.amount) };
    const answer = await world.write<SwapResponse>(this, this.isKeyed, {
      path: '/swaps',
      body: { ...ownerField(model.idOf(owner)), ...pair, ...(named && { quote_id: named.id }) },
      other: { amount: '4321' },
      triedFirst: { model, wallets: [model.wallet(owner, from), model.wallet(owner, to)], quotes: [chosen] },
    });
    const quote = model.isClosed(owner) ? 'customer_closed' : model.quoteFor(asked, named);
    if (typeof quote === 'string') return void agreed(world, answer, quote);
    if (quote !== chosen) world.end(`by ${inWords(quote)}`);
    if (agreed(world, answer, model.refusesSwap(asked))) this.settle(model, quote, answer.body.data);
  }

  private settle(model: Model, quote: Quote, data: SwapResponse): void {
    const [paying, receiving] = [model.wallet(quote.owner, quote.from), model.wallet(quote.owner, quote.to)];
    if (!paying || !receiving) return;
    const received = exchanged(quote.amount, quote.price, quote.to);
    const before = receiving.balance;
    const { debitTransaction, creditTransaction, swapId } = data;
    const fields = ({ id, transaction_id, created_at }: SwapResponse['debitTransaction']) => ({
      ...NOTHING_ELSE,
      crypto_transaction_id: null,
      id,
      transaction_id,
      created_at,
      reference_id: quote.id,
      sender_wallet_id: paying.id,
      receiver_wallet_id: receiving.id,
      exchange_rate: quote.price,
    });
    model.move(paying, -quote.amount);
    const out = { wallet: paying, mode: 'DEBIT' as const, amount: quote.amount, fixed: fields(debitTransaction) };
    const debit = newTransaction(model, 'swap, its debit,', out);
    model.move(receiving, received);
    const into = { wallet: receiving, mode: 'CREDIT' as const, amount: received, fixed: fields(creditTransaction) };
    const credit = newTransaction(model, 'swap, its credit,', into);
    quote.used = true;
    sameFields('the swap', { swapId: quote.id }, { swapId });
    sameFields('the debit', accepted(model.printed(debit)), debitTransaction);
    sameFields('the credit', { ...accepted(model.printed(credit)), balance: printed(before) }, creditTransaction);
  }
}

/** As the execution answers: PENDING, and without the fields of a recipient. */
function accepted(fields: Record<string, unknown>): Record<string, unknown> {
  const absent = Object.keys(fields).filter((name) => /^(recipient_|bank_|address)/.test(name));
  const left = Object.fromEntries(Object.entries(fields).filter(([name]) => !absent.includes(name)));
  return { ...left, status: 'PENDING' };
}

class LookUpSwap extends Step {
  readonly words: string;

  constructor(private readonly index: number) {
    super();
    this.words = `look quote number ${index} up`;
  }

  protected isPossible(model: Model): boolean {
    return model.quotes.length > 0;
  }

  async perform(model: Model, world: World): Promise<void> {
    const quote = picked(model.quotes, this.index);
    const { id, amount, used, price } = quote;
    world.saying(`look ${inWords(quote)} up`);
    const answer = await world.read<QuoteResponse>(`/swaps/${id}`);
    agreed(world, answer, null);
    // A used quote is confirmed by a fact that comes a moment later.
    const { confirmed } = answer.body.data;
    const expected = { id, from_amount: printed(amount), quoted_price: price, confirmed: used && confirmed };
    sameFields('the quote', expected, answer.body.data);
  }
}

const slip = fc.constantFrom<Slip>('none', 'none', 'none', 'none', 'none', 'none', 'another amount', 'another owner');
const way = fc.constantFrom<'named' | 'unnamed' | 'unquoted'>('named', 'unnamed', 'unnamed', 'unnamed', 'unquoted');

export const quotes = fc.tuple(account, currency, amount, isKeyed).map((drawn) => new AskQuote(...drawn));
export const refreshes = fc.tuple(pick, slip, isKeyed).map((drawn) => new RefreshQuote(...drawn));
export const swaps = fc.tuple(pick, way, slip, isKeyed).map((drawn) => new ExecuteSwap(...drawn));
export const swapLookUps = pick.map((index) => new LookUpSwap(index));
