/** Where each screen is. A screen's code is loaded when a person goes there; the frame and the sign-in come first. */
import { QueryCache, QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { Session } from './api/client';
import { notForRole, Refusal } from './api/refusal';
import { activitySearchOf } from './activity/questions';
import { depositsSearchOf } from './deposits/questions';
import { overviewSearchOf } from './overview/questions';
import { customersSearchOf } from './customers/questions';
import { checkpointsSearchOf, explanationSearchOf, runsSearchOf } from './audit/questions';
import { sessionQuestion } from './session/questions';
import { firstScreenOf, isOpenFor } from './shell/navigation';
import { pageIn } from './shell/search';
import { Loading, NoPage, RouteFailure } from './shell/states';
import { Shell } from './frame/shell';
import { merchantsSearchOf } from './merchants/questions';
import { filtersOf } from './transactions/filters';
import { transactionsQuestion } from './transactions/questions';
import { fromSearchOf, walletsSearchOf } from './wallets/questions';

const RETRIES_MAX = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    // A session that has ended, or a person who was removed: from wherever it shows, back to the sign-in.
    onError: (error, { queryKey }) => {
      if (error instanceof Refusal && error.status === 401 && queryKey[0] !== 'session') {
        queryClient.removeQueries({ queryKey: sessionQuestion.queryKey });
        void router.navigate({ to: '/sign-in' });
      }
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) => count < RETRIES_MAX && error instanceof Refusal && error.isPassing,
    },
  },
});

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./session/sign-in-page'), 'SignInPage'),
});
const link = createRoute({
  getParentRoute: () => root,
  path: '/link',
  component: lazyRouteComponent(() => import('./session/link-page'), 'LinkPage'),
});

/** All that needs a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context }) => {
    const asked = context.queryClient.query({ ...sessionQuestion, staleTime: 'static' });
    const session = await asked.catch((error: unknown) => {
      if (error instanceof Refusal && error.status === 401) redirect({ to: '/sign-in', throw: true });
      throw error;
    });
    return { session };
  },
  component: Shell,
});

/** A screen that is not for the person's role asks for nothing. */
const openFor =
  (to: Parameters<typeof isOpenFor>[0]) =>
  ({ context }: { context: { session: Session } }) => {
    if (!isOpenFor(to, context.session)) throw notForRole();
  };
const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: ({ context }) => {
    redirect({ to: firstScreenOf(context.session), search: {}, replace: true, throw: true });
  },
});
/** Of a member's merchant, and of one that the operator's people have opened. */
const TransactionsScreen = lazyRouteComponent(() => import('./transactions/transactions-page'), 'TransactionsPage');
const TransactionScreen = lazyRouteComponent(() => import('./transactions/transaction-page'), 'TransactionPage');
const WalletsScreen = lazyRouteComponent(() => import('./wallets/wallets-page'), 'WalletsPage');
const WalletScreen = lazyRouteComponent(() => import('./wallets/wallet-page'), 'WalletPage');
const textsOf = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));
const transactions = createRoute({
  getParentRoute: () => inside,
  path: '/transactions',
  beforeLoad: openFor('/transactions'),
  validateSearch: textsOf,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    // What goes wrong is shown by the screen, which asks the same.
    context.queryClient.query(transactionsQuestion(undefined, filtersOf(deps))).catch(() => undefined);
  },
  component: TransactionsScreen,
});
const transaction = createRoute({
  getParentRoute: () => inside,
  path: '/transactions/$transactionId',
  beforeLoad: openFor('/transactions'),
  component: TransactionScreen,
});
const overview = createRoute({
  getParentRoute: () => inside,
  path: '/overview',
  validateSearch: overviewSearchOf,
  beforeLoad: openFor('/overview'),
  component: lazyRouteComponent(() => import('./overview/overview-page'), 'OverviewPage'),
});
const deposits = createRoute({
  getParentRoute: () => inside,
  path: '/deposits',
  validateSearch: depositsSearchOf,
  beforeLoad: openFor('/deposits'),
  component: lazyRouteComponent(() => import('./deposits/deposits-page'), 'DepositsPage'),
});
const approvals = createRoute({
  getParentRoute: () => inside,
  path: '/approvals',
  beforeLoad: openFor('/approvals'),
  component: lazyRouteComponent(() => import('./approvals/approvals-page'), 'ApprovalsPage'),
});
const wallets = createRoute({
  getParentRoute: () => inside,
  path: '/wallets',
  validateSearch: walletsSearchOf,
  beforeLoad: openFor('/wallets'),
  component: WalletsScreen,
});
const wallet = createRoute({
  getParentRoute: () => inside,
  path: '/wallets/$walletId',
  beforeLoad: openFor('/wallets'),
  component: WalletScreen,
});
const merchants = createRoute({
  getParentRoute: () => inside,
  path: '/merchants',
  validateSearch: merchantsSearchOf,
  beforeLoad: openFor('/merchants'),
  component: lazyRouteComponent(() => import('./merchants/merchants-page'), 'MerchantsPage'),
});
const merchant = createRoute({
  getParentRoute: () => inside,
  path: '/merchants/$merchantId',
  beforeLoad: openFor('/merchants'),
  component: lazyRouteComponent(() => import('./merchants/merchant-frame'), 'MerchantFrame'),
});
const merchantHome = createRoute({
  getParentRoute: () => merchant,
  path: '/',
  beforeLoad: ({ params }) => {
    redirect({ to: '/merchants/$merchantId/transactions', params, search: {}, replace: true, throw: true });
  },
});
const merchantTransactions = createRoute({
  getParentRoute: () => merchant,
  path: '/transactions',
  validateSearch: textsOf,
  component: TransactionsScreen,
});
const merchantTransaction = createRoute({
  getParentRoute: () => merchant,
  path: '/transactions/$transactionId',
  component: TransactionScreen,
});
const merchantWallets = createRoute({
  getParentRoute: () => merchant,
  path: '/wallets',
  validateSearch: walletsSearchOf,
  component: WalletsScreen,
});
const merchantWallet = createRoute({
  getParentRoute: () => merchant,
  path: '/wallets/$walletId',
  component: WalletScreen,
});
const ofMerchant = [merchantHome, merchantTransactions, merchantTransaction, merchantWallets, merchantWallet] as const;
const treasury = createRoute({
  getParentRoute: () => inside,
  path: '/treasury',
  beforeLoad: openFor('/treasury'),
  component: lazyRouteComponent(() => import('./treasury/treasury-page'), 'TreasuryPage'),
});
const reconciliation = createRoute({
  getParentRoute: () => inside,
  path: '/reconciliation',
  validateSearch: textsOf,
  beforeLoad: openFor('/reconciliation'),
  component: lazyRouteComponent(() => import('./reconciliation/reconciliation-page'), 'ReconciliationPage'),
});
const operations = createRoute({
  getParentRoute: () => inside,
  path: '/operations',
  beforeLoad: openFor('/operations'),
  component: lazyRouteComponent(() => import('./operations/operations-page'), 'OperationsPage'),
});
const customers = createRoute({
  getParentRoute: () => inside,
  path: '/customers',
  validateSearch: customersSearchOf,
  beforeLoad: openFor('/customers'),
  component: lazyRouteComponent(() => import('./customers/customers-page'), 'CustomersPage'),
});
const customer = createRoute({
  getParentRoute: () => inside,
  path: '/customers/$customerId',
  beforeLoad: openFor('/customers'),
  component: lazyRouteComponent(() => import('./customers/customer-page'), 'CustomerPage'),
});
const cases = createRoute({
  getParentRoute: () => inside,
  path: '/cases',
  validateSearch: pageIn,
  beforeLoad: openFor('/cases'),
  component: lazyRouteComponent(() => import('./cases/cases-page'), 'CasesPage'),
});
const kycCase = createRoute({
  getParentRoute: () => inside,
  path: '/cases/$customerId',
  beforeLoad: openFor('/cases'),
  component: lazyRouteComponent(() => import('./cases/case-page'), 'CasePage'),
});
const pay = createRoute({
  getParentRoute: () => inside,
  path: '/pay',
  validateSearch: fromSearchOf,
  beforeLoad: openFor('/pay'),
  component: lazyRouteComponent(() => import('./pay/pay-page'), 'PayPage'),
});
const swap = createRoute({
  getParentRoute: () => inside,
  path: '/swap',
  validateSearch: fromSearchOf,
  beforeLoad: openFor('/swap'),
  component: lazyRouteComponent(() => import('./swap/swap-page'), 'SwapPage'),
});
const webhooks = createRoute({
  getParentRoute: () => inside,
  path: '/webhooks',
  beforeLoad: openFor('/webhooks'),
  component: lazyRouteComponent(() => import('./webhooks/webhooks-page'), 'WebhooksPage'),
});
const keys = createRoute({
  getParentRoute: () => inside,
  path: '/keys',
  beforeLoad: openFor('/keys'),
  component: lazyRouteComponent(() => import('./keys/keys-page'), 'KeysPage'),
});
const members = createRoute({
  getParentRoute: () => inside,
  path: '/members',
  beforeLoad: openFor('/members'),
  component: lazyRouteComponent(() => import('./members/members-page'), 'MembersPage'),
});
const activity = createRoute({
  getParentRoute: () => inside,
  path: '/activity',
  validateSearch: activitySearchOf,
  beforeLoad: openFor('/activity'),
  component: lazyRouteComponent(() => import('./activity/activity-page'), 'ActivityPage'),
});
const checkpoints = createRoute({
  getParentRoute: () => inside,
  path: '/checkpoints',
  validateSearch: checkpointsSearchOf,
  beforeLoad: openFor('/checkpoints'),
  component: lazyRouteComponent(() => import('./audit/checkpoints-page'), 'CheckpointsPage'),
});
const verification = createRoute({
  getParentRoute: () => inside,
  path: '/verification',
  validateSearch: runsSearchOf,
  beforeLoad: openFor('/verification'),
  component: lazyRouteComponent(() => import('./audit/verification-page'), 'VerificationPage'),
});
const balances = createRoute({
  getParentRoute: () => inside,
  path: '/balances',
  validateSearch: explanationSearchOf,
  beforeLoad: openFor('/balances'),
  component: lazyRouteComponent(() => import('./audit/explanation-page'), 'ExplanationPage'),
});
const account = createRoute({
  getParentRoute: () => inside,
  path: '/account',
  component: lazyRouteComponent(() => import('./session/account-page'), 'AccountPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    link,
    inside.addChildren([
      home,
      account,
      transactions,
      transaction,
      overview,
      deposits,
      approvals,
      pay,
      swap,
      wallets,
      wallet,
      webhooks,
      keys,
      members,
      activity,
      merchants,
      merchant.addChildren(ofMerchant),
      treasury,
      operations,
      reconciliation,
      customers,
      customer,
      cases,
      kycCase,
      checkpoints,
      verification,
      balances,
    ]),
  ]),
  context: { queryClient },
  // Plain texts: the address is the filters, as a person would write them.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultPreload: 'intent',
  defaultPendingComponent: () => <Loading what="this page" />,
  defaultErrorComponent: RouteFailure,
  defaultNotFoundComponent: NoPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
