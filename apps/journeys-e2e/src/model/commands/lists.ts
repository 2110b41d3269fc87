import fc from 'fast-check';
import {
  Customer as PrintedCustomer,
  PayoutMethod,
  Transaction as TransactionResponse,
  Wallet as PrintedWallet,
} from '../../resources';
import { printed } from '../amounts';
import { Disagreement, sameFields, sameList } from '../disagreement';
import { CustomerName, CUSTOMERS, MERCHANT, Model, OwnerName } from '../model';
import { agreed, Step } from '../step';
import { World } from '../world';
import { currency, customerName, ownerName, pick, picked } from './owners';

interface Page {
  page?: number;
  limit?: number;
}

type Query = Record<string, string>;

const DEFAULT_LIMIT = 20;
const shownQuery = (query: object) =>
  JSON.stringify(query).replace(/[{}"]/g, '').replaceAll(',', ', ').replaceAll(':', ' ');

/** Reads one page and compares its totals with those of all that there should be; gives what should be on it, too. */
async function onePage<Data, Expected>(
  world: World,
  path: string,
  query: Query,
  all: Expected[],
  { page = 1, limit }: Page,
  otherwise = DEFAULT_LIMIT,
) {
  const asked = {
    ...query,
    ...(page !== 1 && { page: String(page) }),
    ...(limit !== undefined && { limit: String(limit) }),
  };
  const answer = await world.read<Data[]>(`${path}?${new URLSearchParams(asked).toString()}`);
  agreed(world, answer, null);
  const size = limit ?? otherwise;
  const totals = { total: all.length, page, limit: size, totalPages: Math.ceil(all.length / size) };
  sameFields('the pagination', totals, answer.body.pagination);
  return { came: answer.body.data, expected: all.slice((page - 1) * size, page * size) };
}

/** A filter of transactions: its value, or where it is to be taken from. */
interface Filters extends Page {
  customer?: CustomerName;
  status?: string;
  transaction_type?: string;
  transaction_mode?: string;
  currency?: string;
  waiting_for?: string;
  start?: number;
  end?: number;
  /** A part of the identifier of one of them. */
  search?: number;
  transaction?: number;
}

const dayFrom = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

function queryOf(
  model: Model,
  { customer, start, end, search, transaction, page: _page, limit: _limit, ...plain }: Filters,
): Query {
  const codeOf = (index: number) =>
    model.transactions.length === 0 ? 'ZZZZZZZZZZ' : picked(model.transactions, index).fixed.transaction_id;
  const idOf = (index: number) => (model.transactions.length === 0 ? '%' : picked(model.transactions, index).fixed.id);
  const said: Record<string, string | undefined> = {
    ...plain,
    customer_id: customer && (model.idOf(customer) ?? undefined),
    start_date: start === undefined ? undefined : dayFrom(start),
    end_date: end === undefined ? undefined : dayFrom(end),
    search:
      search === undefined
        ? undefined
        : search % 2
          ? codeOf(search).slice(1, 5).toLowerCase()
          : idOf(search).slice(0, 9),
    transaction_id: transaction === undefined ? undefined : codeOf(transaction),
  };
  return Object.fromEntries(Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

class ListTransactions extends Step {
  readonly words: string;

  constructor(
    private readonly filters: Filters,
    private readonly of: CustomerName | undefined,
  ) {
    super();
    this.words = `list the transactions${of ? ` of ${of}` : ''} by ${shownQuery(filters)}`;
  }

  protected isPossible(model: Model): boolean {
    const { customer, start = -9, end = 9 } = this.filters;
    return [customer, this.of].every((name) => name === undefined || model.exists(name)) && start <= end;
  }

  async perform(model: Model, world: World): Promise<void> {
    await world.settled(model);
    // One customer's list has neither of these two filters.
    const common = { ...this.filters, customer: undefined, transaction: undefined };
    const query = queryOf(model, this.of ? common : this.filters);
    const id = this.of && model.idOf(this.of);
    const all = model.transactionsBy({ ...query, ...(id && { customer_id: id }) });
    const path = id ? `/customers/transactions/by_customer_id/${id}` : '/transactions';
    const page = await onePage<TransactionResponse, (typeof all)[0]>(
      world,
      path,
      query,
      all,
      this.filters,
      id ? DEFAULT_LIMIT : 10,
    );
    compareTransactions(model, world, page);
  }
}

function compareTransactions(
  model: Model,
  world: World,
  { came, expected }: { came: TransactionResponse[]; expected: Model['transactions'] },
): void {
  const labelOf = ({ id }: TransactionResponse) =>
    model.transactions.find(({ fixed }) => fixed.id === id)?.label ?? `unknown ${id}`;
  sameList(
    'transactions',
    expected.map(({ label }) => label),
    came.map(labelOf),
  );
  expected.forEach((each, index) => sameFields(each.label, model.printed(each), came[index]));
  world.end(`${expected.length} of them`);
}

class LookUpTransaction extends Step {
  readonly words: string;

  constructor(
    private readonly index: number,
    private readonly by: 'transaction_id' | 'reference_id',
  ) {
    super();
    this.words = `look transaction number ${index} up by ${by}`;
  }

  protected isPossible(model: Model): boolean {
    return model.transactions.length > 0;
  }

  async perform(model: Model, world: World): Promise<void> {
    await world.settled(model);
    const chosen = picked(model.transactions, this.index);
    const { transaction_id, reference_id } = chosen.fixed;
    world.saying(`look ${chosen.label} up by ${this.by}`);
    if (this.by === 'transaction_id') {
      const answer = await world.read<TransactionResponse>(`/customers/transactions/by_txid/${transaction_id}`);
      agreed(world, answer, null);
      return sameFields(chosen.label, model.printed(chosen), answer.body.data);
    }
    const answer = await world.read<TransactionResponse[]>(`/customers/transactions/by_ref_id/${reference_id}`);
    agreed(world, answer, null);
    const expected = model.transactions.filter(({ fixed }) => fixed.reference_id === reference_id);
    compareTransactions(model, world, { came: answer.body.data, expected });
  }
}

interface CustomerFilters extends Page {
  status?: string;
  customer_type?: string;
  by?: 'email' | 'phone' | 'id';
  name: CustomerName;
}

class ListCustomers extends Step {
  readonly words: string;

  constructor(private readonly filters: CustomerFilters) {
    super();
    this.words = `list the customers by ${shownQuery(filters)}`;
  }

  protected isPossible(model: Model): boolean {
    return this.filters.by === undefined || model.exists(this.filters.name);
  }

  async perform(model: Model, world: World): Promise<void> {
    const { status, customer_type, by, name } = this.filters;
    const search = by && model.customer(name)?.[by];
    const query = { ...(status && { status }), ...(customer_type && { customer_type }), ...(search && { search }) };
    const all = model.customers
      .filter((each) => status === undefined || each.status === status)
      .filter((each) => customer_type === undefined || CUSTOMERS[each.name] === customer_type)
      .filter((each) => search === undefined || each.name === name)
      .reverse();
    const { came, expected } = await onePage<PrintedCustomer, (typeof all)[0]>(
      world,
      '/customers',
      query,
      all,
      this.filters,
    );
    const nameOf = ({ id }: PrintedCustomer) => model.customers.find((each) => each.id === id)?.name ?? `unknown ${id}`;
    sameList(
      'customers',
      expected.map((each) => each.name),
      came.map(nameOf),
    );
    expected.forEach(({ email, phone, status: now }, index) =>
      sameFields('the customer', { email, phone, status: now }, came[index]),
    );
  }
}

class ListWallets extends Step {
  readonly words: string;

  constructor(
    private readonly owner: OwnerName,
    private readonly currency: string | undefined,
    private readonly page: Page,
  ) {
    super();
    this.words = `list the wallets of ${owner} by ${shownQuery({ currency, ...page })}`;
  }

  protected isPossible(model: Model): boolean {
    return model.exists(this.owner);
  }

  async perform(model: Model, world: World): Promise<void> {
    const { owner } = this;
    await world.settled(
      model,
      model.transactions.filter(({ wallet }) => wallet.owner === owner),
    );
    const id = model.idOf(owner);
    const query = { ...(id !== null && { customer_id: id }), ...(this.currency && { currency: this.currency }) };
    const all = model.wallets
      .filter((each) => each.owner === owner && (this.currency === undefined || each.currency === this.currency))
      .reverse();
    const { came, expected } = await onePage<PrintedWallet, (typeof all)[0]>(world, '/wallets', query, all, this.page);
    sameList(
      'wallets',
      expected.map((each) => each.currency),
      came.map((each) => each.currency),
    );
    expected.forEach((each, index) => {
      const networks = came[index]?.addresses.map(({ network }) => network);
      const fields = { id: each.id, balance: printed(each.balance), customer_id: id, networks: each.networks };
      sameFields(`the ${each.currency} wallet`, fields, { ...came[index], networks });
    });
  }
}

class ListMethods extends Step {
  readonly words: string;

  constructor(
    private readonly owner: OwnerName,
    private readonly type: string | undefined,
    private readonly currency: string | undefined,
    private readonly page: Page,
  ) {
    super();
    const whose = owner === MERCHANT ? '' : ` of ${owner}`;
    this.words = `list the payout methods${whose} by ${shownQuery({ type, currency, ...page })}`;
  }

  protected isPossible(model: Model): boolean {
    return model.exists(this.owner);
  }

  async perform(model: Model, world: World): Promise<void> {
    const { owner, type, currency: wanted } = this;
    const id = model.idOf(owner);
    const query = {
      ...(id !== null && { customer_id: id }),
      ...(type && { type }),
      ...(wanted && { currency: wanted }),
    };
    const all = model.methods
      .filter((each) => owner === MERCHANT || each.owner === owner)
      .filter(
        (each) => (type === undefined || each.type === type) && (wanted === undefined || each.currency === wanted),
      )
      .reverse();
    const { came, expected } = await onePage<PayoutMethod, (typeof all)[0]>(
      world,
      '/payout/methods',
      query,
      all,
      this.page,
    );
    sameList(
      'methods',
      expected.map((each) => each.id),
      came.map((each) => each.id),
    );
  }
}

/** Everything that there is, at the end of a sequence: page by page, as it would be read. */
export async function compareEverything(model: Model, world: World): Promise<void> {
  world.begin('and at the end: everything');
  const owners: OwnerName[] = [MERCHANT, ...model.customers.map(({ name }) => name)];
  const pages = Math.max(1, Math.ceil(model.transactions.length / 100));
  const steps: Step[] = [
    ...Array.from({ length: pages }, (_, index) => new ListTransactions({ limit: 100, page: index + 1 }, undefined)),
    ...model.customers.map(({ name }) => new ListTransactions({ limit: 100 }, name)),
    ...owners.map((owner) => new ListWallets(owner, undefined, {})),
    new ListCustomers({ name: 'Ada' }),
    new ListMethods(MERCHANT, undefined, undefined, { limit: 100 }),
  ];
  for (const step of steps) await step.perform(model, world);
  const negative = model.wallets.find((wallet) => wallet.balance < -model.reversedIn(wallet));
  if (negative)
    throw new Disagreement(
      'no wallet below zero by more than its reversed deposits',
      `${negative.owner} has ${printed(negative.balance)} ${negative.currency}`,
    );
}

/** Each filter is there in one list of three or of six, so that some meet. */
const oneIn = <Value>(times: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
const maybe = <Value>(value: fc.Arbitrary<Value>) => oneIn(3, value);
const seldom = <Value>(value: fc.Arbitrary<Value>) => oneIn(6, value);
const limit = fc.constantFrom(1, 2, 3, 100);
const page: fc.Arbitrary<Page> = fc.oneof(fc.constant({}), fc.record({ page: fc.constantFrom(1, 1, 2, 3), limit }));
const set = <Fields extends object>(drawn: fc.Arbitrary<Fields>): fc.Arbitrary<Fields> =>
  drawn.map(
    (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields,
  );

const filters = set(
  fc.record({
    customer: seldom(customerName),
    status: maybe(fc.constantFrom('PENDING', 'COMPLETED', 'FAILED', 'REVERSED')),
    transaction_type: maybe(fc.constantFrom('DEPOSIT', 'PAYOUT', 'INTERNAL TRANSFER')),
    transaction_mode: maybe(fc.constantFrom('CREDIT', 'DEBIT')),
    currency: maybe(currency),
    waiting_for: seldom(fc.constantFrom('approval', 'cooling_off')),
    start: seldom(fc.constantFrom(-1, 0, 1)),
    end: seldom(fc.constantFrom(-1, 0, 1)),
    search: seldom(pick),
    transaction: seldom(pick),
  }),
);
const withPage = fc.tuple(filters, page).map(([said, paged]): Filters => ({ ...said, ...paged }));
const customerFilters = fc.record({
  status: maybe(fc.constantFrom('active', 'closed')),
  customer_type: maybe(fc.constantFrom('individual', 'business')),
  by: seldom(fc.constantFrom<'email' | 'phone' | 'id'>('email', 'phone', 'id')),
  name: customerName,
});

export const transactionLists = fc
  .tuple(withPage, seldom(customerName))
  .map(([said, of]) => new ListTransactions(said, of));
export const transactionLookUps = fc
  .tuple(pick, fc.constantFrom<'transaction_id' | 'reference_id'>('transaction_id', 'reference_id'))
  .map((drawn) => new LookUpTransaction(...drawn));
export const customerLists = fc
  .tuple(set(customerFilters), page)
  .map(([said, paged]) => new ListCustomers({ ...said, ...paged }));
export const walletLists = fc.tuple(ownerName, seldom(currency), page).map((drawn) => new ListWallets(...drawn));
export const methodLists = fc
  .tuple(ownerName, maybe(fc.constantFrom('BANK', 'WALLET')), maybe(fc.constantFrom('NGN', 'USDT')), page)
  .map((drawn) => new ListMethods(...drawn));
