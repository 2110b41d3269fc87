/**
 * Which screens the console has, for whom, and what each shows of ConsoleContent: one line for each. A new screen takes a line here; the
 * journey through the roles fails where the console's router or a role's navigation has a screen that no line names.
 */
import type { Page } from 'playwright-core';
import type { ConsoleContent, Personal } from './console-content';

/** Who sees most comes first: by the time of the others, each screen has been looked at in every view with all that it can show. */
export const MEMBER_ROLES = ['admin', 'payer', 'approver', 'developer', 'viewer'] as const;
export const OPERATOR_ROLES = ['compliance', 'operations', 'auditor', 'support'] as const;
export const ROLES = [...MEMBER_ROLES, ...OPERATOR_ROLES] as const;
export type Role = (typeof ROLES)[number];

/** To others nothing of PLANTED is shown, nor sent. */
export const SEES_PERSONAL: readonly Role[] = ['payer', 'approver', 'admin', 'compliance'];
/** They have added a passkey: without one, what they do says only that it takes one. */
export const HAS_PASSKEY: readonly Role[] = ['payer', 'approver', 'admin', 'operations', 'compliance'];

export interface ConsoleScreen {
  /** Of its pictures. */
  name: string;
  /** As the console's router has it. */
  route: string;
  roles: readonly Role[];
  /** In the navigation; left out for what is reached from another screen. */
  label?: string;
  /** Where the route is not its address. */
  path?: (content: ConsoleContent) => string;
  heading: string | RegExp;
  /** What a person does there, before it is looked at. */
  act?: (page: Page) => Promise<void>;
  /** What of the content each role sees there, in the main part. */
  shows: (content: ConsoleContent, role: Role) => readonly (string | RegExp)[];
  /** What is personal there, for who sees it. */
  personal?: readonly Personal[];
}

const DEVELOPS: readonly Role[] = ['developer', 'admin'];
const PAYS: readonly Role[] = ['payer', 'admin'];
const RUNS: readonly Role[] = ['operations', 'auditor'];
const AUDITS: readonly Role[] = ['operations', 'compliance', 'auditor'];
const ofMerchant = (rest: string) => `/merchants/$merchantId/${rest}`;
const below = (content: ConsoleContent, rest: string) => `/merchants/${content.merchantId}/${rest}`;
const TRANSACTIONS = ['+5,000.00 USD', '−20.00 USD', '−700.00 USD', '+75.00 USDT'];

const OF_MEMBERS: readonly ConsoleScreen[] = [
  {
    ...{ name: 'transactions', route: '/transactions', label: 'Transactions', roles: MEMBER_ROLES },
    ...{ heading: 'Transactions', shows: () => TRANSACTIONS, personal: ['recipient'] },
  },
  {
    ...{ name: 'transaction', route: '/transactions/$transactionId', roles: MEMBER_ROLES, heading: /20\.00 USD/ },
    path: ({ payout }) => `/transactions/${payout.transaction_id}`,
    shows: () => ['Payout arrived', 'Bank’s reference', 'Check the proof'],
    personal: ['recipient', 'account'],
  },
  {
    ...{
      name: 'transaction-waiting',
      route: '/transactions/$transactionId',
      roles: MEMBER_ROLES,
      heading: /700\.00 USD/,
    },
    path: ({ waiting }) => `/transactions/${waiting.transaction_id}`,
    shows: () => ['Waits for approval', '0 of 1 approvals'],
    personal: ['recipient', 'account'],
  },
  {
    ...{ name: 'transaction-to-address', route: '/transactions/$transactionId', roles: MEMBER_ROLES },
    ...{ heading: /12\.00 USDT/, path: ({ toAddress }) => `/transactions/${toAddress.transaction_id}` },
    shows: () => ['Ethereum'],
    personal: ['recipient', 'address'],
  },
  {
    ...{ name: 'transaction-deposit', route: '/transactions/$transactionId', roles: MEMBER_ROLES },
    ...{ heading: /5,000\.00 USD/, path: ({ deposit }) => `/transactions/${deposit.transaction_id}` },
    shows: () => ['Check the proof'],
    personal: ['reference'],
  },
  {
    ...{ name: 'overview', route: '/overview', label: 'Overview', roles: MEMBER_ROLES, heading: 'Overview' },
    shows: () => ['Payouts', 'Deposits'],
  },
  {
    ...{ name: 'deposits', route: '/deposits', label: 'Deposits', roles: MEMBER_ROLES, heading: 'Deposits' },
    shows: () => ['75.00 USDT', '5,000.00 USD', 'Received and not credited'],
  },
  {
    ...{ name: 'approvals', route: '/approvals', label: 'Approvals', roles: ['approver', 'admin'] },
    ...{ heading: 'Approvals', shows: () => ['Approve with a passkey'], personal: ['recipient', 'account'] },
  },
  {
    ...{ name: 'pay', route: '/pay', label: 'Pay', roles: PAYS, heading: 'Pay' },
    act: async (page) => {
      await page.getByRole('combobox', { name: 'From' }).selectOption({ label: 'USD · 2,300.00' });
      await page.getByLabel('Amount in USD').fill('150');
      await page.getByLabel('Recipient', { exact: true }).fill('Chidi Okafor');
      await page.getByLabel('Account number').fill('0123456789');
      await page.getByLabel('Bank code').fill('011');
      await page.getByRole('button', { name: 'Show what would be sent' }).click();
    },
    shows: () => ['Pay Chidi Okafor', '150.00 USD', 'until another person has', 'Pay with a passkey'],
  },
  {
    ...{ name: 'swap', route: '/swap', label: 'Swap', roles: PAYS, heading: 'Swap' },
    act: async (page) => {
      await page.getByRole('combobox', { name: 'From' }).selectOption({ label: 'USD · 2,300.00' });
      await page.getByRole('combobox', { name: 'To' }).selectOption({ label: 'NGN · 10.00' });
      await page.getByLabel('Amount in USD').fill('40');
      await page.getByRole('button', { name: 'Get a quote' }).click();
    },
    shows: () => [/40\.00 USD for .* NGN/, 'Swap with a passkey'],
  },
  {
    ...{ name: 'wallets', route: '/wallets', label: 'Wallets', roles: MEMBER_ROLES, heading: 'Wallets' },
    shows: () => ['2,300.00 USD', '10.00 NGN'],
  },
  {
    ...{ name: 'wallets-of-customer', route: '/wallets', roles: MEMBER_ROLES, heading: 'Wallets of a customer' },
    path: ({ customerId }) => `/wallets?customer_id=${customerId}`,
    shows: () => ['4,980.00 USD'],
    personal: ['description'],
  },
  {
    ...{ name: 'wallet', route: '/wallets/$walletId', roles: MEMBER_ROLES, heading: '4,980.00 USD' },
    path: ({ walletId }) => `/wallets/${walletId}`,
    shows: () => ['Balance at a time', 'Statement'],
    personal: ['description'],
  },
  {
    ...{ name: 'customers', route: '/customers', label: 'Customers', roles: MEMBER_ROLES, heading: 'Customers' },
    shows: (_, role) => [SEES_PERSONAL.includes(role) ? 'Plantedname Plantedsurname' : /customer/i],
    personal: ['first_name', 'last_name'],
  },
  {
    ...{ name: 'customer', route: '/customers/$customerId', roles: MEMBER_ROLES, heading: /Plantedname|Customer/ },
    path: ({ customerId }) => `/customers/${customerId}`,
    shows: () => ['Under review', 'Valid ids, Front'],
    personal: ['first_name', 'last_name', 'email', 'street'],
  },
  {
    ...{ name: 'webhooks', route: '/webhooks', label: 'Webhooks', roles: DEVELOPS, heading: 'Webhooks' },
    shows: () => ['http://127.0.0.1', 'deposit.completed'],
  },
  {
    ...{ name: 'keys', route: '/keys', label: 'API keys', roles: DEVELOPS, heading: 'API keys' },
    shows: () => ['Made by your operator'],
  },
  {
    ...{ name: 'members', route: '/members', label: 'Members', roles: ['admin'], heading: 'Members' },
    shows: () => ['admin@example.com', 'Invite'],
  },
];

const OF_OPERATOR: readonly ConsoleScreen[] = [
  {
    ...{ name: 'merchants', route: '/merchants', label: 'Merchants', roles: OPERATOR_ROLES, heading: 'Merchants' },
    shows: () => ['Marina Traders'],
  },
  {
    ...{ name: 'merchant-transactions', route: ofMerchant('transactions'), roles: OPERATOR_ROLES },
    ...{ heading: 'Transactions', path: (content) => below(content, 'transactions') },
    shows: () => ['Marina Traders', ...TRANSACTIONS],
    personal: ['recipient'],
  },
  {
    ...{ name: 'merchant-transaction', route: ofMerchant('transactions/$transactionId'), roles: OPERATOR_ROLES },
    ...{ heading: /20\.00 USD/, path: (content) => below(content, `transactions/${content.payout.transaction_id}`) },
    shows: () => ['Marina Traders', 'Payout arrived'],
    personal: ['recipient', 'account'],
  },
  {
    ...{ name: 'merchant-wallets', route: ofMerchant('wallets'), roles: OPERATOR_ROLES, heading: 'Wallets' },
    path: (content) => below(content, 'wallets'),
    shows: () => ['2,300.00 USD', '10.00 NGN'],
  },
  {
    ...{ name: 'merchant-wallet', route: ofMerchant('wallets/$walletId'), roles: OPERATOR_ROLES },
    ...{ heading: '4,980.00 USD', path: (content) => below(content, `wallets/${content.walletId}`) },
    shows: () => ['Balance at a time'],
    personal: ['description'],
  },
  {
    ...{ name: 'treasury', route: '/treasury', label: 'Treasury', roles: RUNS, heading: 'Treasury' },
    shows: (_, role) => ['Ethereum', 'Followed', '75.00 USDC', ...(role === 'operations' ? ['Rescan…'] : [])],
  },
  {
    ...{ name: 'operations', route: '/operations', label: 'Operations', roles: RUNS, heading: 'Operations' },
    shows: () => ['wallet-ledger', 'the bank code is not known'],
  },
  {
    ...{ name: 'reconciliation', route: '/reconciliation', label: 'Reconciliation', roles: AUDITS },
    ...{ heading: 'Reconciliation', shows: () => ['USDT'] },
  },
  {
    ...{ name: 'cases', route: '/cases', label: 'Cases', roles: ['compliance', 'support'], heading: 'Cases' },
    shows: ({ customerId }) => [customerId],
  },
  {
    ...{ name: 'case', route: '/cases/$customerId', roles: ['compliance', 'support'], heading: 'Case Under review' },
    path: ({ customerId }) => `/cases/${customerId}`,
    shows: ({ merchantId }, role) => [merchantId, ...(role === 'compliance' ? ['Valid ids, Front', 'Approve…'] : [])],
  },
  {
    ...{ name: 'checkpoints', route: '/checkpoints', label: 'Checkpoints', roles: AUDITS, heading: 'Checkpoints' },
    path: ({ shard }) => `/checkpoints?shard=${shard}`,
    shows: () => ['Has the log only grown?', '0 of 2 chosen'],
  },
  {
    ...{ name: 'verification', route: '/verification', label: 'Verification', roles: AUDITS },
    ...{ heading: 'Verification', shows: () => ['Nothing was verified here yet', 'Verify now'] },
  },
  {
    ...{ name: 'balances', route: '/balances', label: 'Explain a balance', roles: AUDITS },
    ...{ heading: 'Explain a balance', shows: () => ['Wallet', 'Explain'] },
  },
  {
    ...{ name: 'balance-explained', route: '/balances', roles: AUDITS, heading: 'Explain a balance' },
    path: ({ walletId }) => `/balances?wallet=${walletId}`,
    shows: () => ['added up by your browser'],
  },
];

export const SCREENS: readonly ConsoleScreen[] = [
  ...OF_MEMBERS,
  ...OF_OPERATOR,
  {
    ...{ name: 'activity', route: '/activity', label: 'Activity', roles: ['admin', 'compliance', 'auditor'] },
    ...{ heading: 'Activity', shows: () => ['Invited a person', 'Your operator', 'Signed in'] },
  },
  {
    ...{ name: 'account', route: '/account', label: 'Your account', roles: ROLES, heading: 'Your account' },
    shows: (_, role) => [`${role}@example.com`],
  },
];

/** Of the console's router, and no screen of their own: they lead to the first screen of a role, and of a merchant, or stand around one. */
export const NO_SCREENS = ['/', '/merchants/$merchantId', '/merchants/$merchantId/'];
/** For who is not signed in. */
export const OUTSIDE = ['/sign-in', '/link'];

export const screensOf = (role: Role) => SCREENS.filter(({ roles }) => roles.includes(role));
export const pathOf = (content: ConsoleContent, { route, path }: ConsoleScreen) => path?.(content) ?? route;
