import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { Amount } from '../amounts/amount';
import type { Transaction } from '../api/client';
import { MerchantLink, useNamedMerchant } from '../merchants/named-merchant';
import { Pages } from '../shell/pages';
import { Answered, Empty } from '../shell/states';
import { Moment } from '../times/moment';
import { CsvLink } from './csv-link';
import { FilterBar, StatusTabs } from './filter-bar';
import { activeFilters, addressOf, filtersOf, PAGE_SIZES, type TransactionFilters } from './filters';
import { transactionsQuestion } from './questions';
import { StatusBadge } from './status-badge';
import { summaryOf, TYPE_WORDS } from './words';

const NO_ROWS: Transaction[] = [];

export function TransactionsPage() {
  const merchantId = useNamedMerchant();
  const filters = filtersOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (changed: TransactionFilters) => void navigate({ to: '.', search: addressOf(changed) });
  const answer = useQuery({
    ...transactionsQuestion(merchantId, filters),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = answer;
  const total = data?.pagination.total ?? 0;
  return (
    <>
      <header className="page-header">
        <h1>Transactions</h1>
        <CsvLink filters={filters} total={total} />
      </header>
      <StatusTabs filters={filters} change={change} />
      <FilterBar filters={filters} change={change} />
      <Answered to={answer} what="transactions">
        {(data) =>
          data.data.length === 0 ? (
            <NothingFound filters={filters} clear={() => change(filtersOf({}))} />
          ) : (
            <section aria-label="Transactions found" aria-busy={isPlaceholderData}>
              <TransactionTable rows={data.data} />
              <Pages
                pagination={data.pagination}
                nouns={['transaction', 'transactions']}
                go={(page) => change({ ...filters, page })}
              >
                <PageSize filters={filters} change={change} />
              </Pages>
            </section>
          )
        }
      </Answered>
    </>
  );
}

const features = tableFeatures({});
const helper = createColumnHelper<typeof features, Transaction>();
const COLUMNS = helper.columns([
  helper.accessor('amount', {
    header: 'Amount',
    cell: ({ row: { original } }) => (
      <MerchantLink
        to="/transactions/$transactionId"
        params={{ transactionId: original.transaction_id }}
        className="row-link"
      >
        <Amount amount={original.amount} currency={original.asset_code} sign={original.transaction_mode} />
      </MerchantLink>
    ),
  }),
  helper.accessor('status', {
    header: 'Status',
    cell: ({ row: { original } }) => <StatusBadge status={original.status} waitingFor={original.waiting_for} />,
  }),
  helper.accessor('transaction_type', {
    header: 'Type',
    cell: ({ row: { original } }) => TYPE_WORDS[original.transaction_type],
  }),
  helper.accessor(summaryOf, { id: 'summary', header: 'Description', cell: ({ getValue }) => getValue() }),
  helper.accessor('transaction_id', {
    header: 'Transaction',
    cell: ({ getValue }) => <code>{getValue()}</code>,
  }),
  helper.accessor('created_at', {
    header: 'Created',
    cell: ({ getValue }) => <Moment at={getValue()} />,
  }),
]);

function TransactionTable({ rows }: { rows: Transaction[] }) {
  const table = useTable({ features, columns: COLUMNS, data: rows.length === 0 ? NO_ROWS : rows });
  return (
    <div className="table-frame">
      <table className="list transactions">
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id} scope="col" data-column={header.column.id}>
                  <table.FlexRender header={header} />
                </th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.original.id}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id} data-column={cell.column.id}>
                  <table.FlexRender cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function NothingFound({ filters, clear }: { filters: TransactionFilters; clear: () => void }) {
  if (activeFilters(filters).length > 0 || filters.page > 1) {
    return (
      <Empty title="No transaction matches">
        <p>Take a filter away, or begin again with all transactions.</p>
        <button type="button" className="button" onClick={clear}>
          Show all transactions
        </button>
      </Empty>
    );
  }
  return (
    <Empty title="No transactions yet">
      <p>
        The first one appears here by itself: a deposit to one of your addresses, a swap or a payout through the API.
      </p>
    </Empty>
  );
}

function PageSize({ filters, change }: { filters: TransactionFilters; change: (filters: TransactionFilters) => void }) {
  return (
    <label className="switch">
      <span>Per page</span>
      <select
        value={filters.limit}
        onChange={({ target }) => change({ ...filters, page: 1, limit: Number(target.value) })}
      >
        {PAGE_SIZES.map((size) => (
          <option key={size}>{size}</option>
        ))}
      </select>
    </label>
  );
}
