/**
 * Where the console gets the ids from that a path or a query must name, so that the first click on any operation succeeds:
 *
 *   1. from what an earlier call in this tab made, unless a later one used it up;
 *   2. from a list, where nothing is ended or used up by the operation;
 *   3. with a test key, by making one where it has steps: they are sent in order, with the bodies of the document, and shown.
 *
 * A live key makes nothing: there the reader fills the id in.
 */

export interface Step {
  operation: string;
  /** Which of the document's examples it sends: the first, unless said otherwise. */
  example?: number;
  /** Beside the example, or in place of some of its fields. */
  changes?: Readonly<Record<string, unknown>>;
  /** Fields that no other resource may have as well: drawn anew. */
  drawn?: readonly ('email' | 'phone')[];
  /** The refusal that does no harm: what the step makes is there already. */
  unless?: string;
  /** It names what the step before it gave, by this parameter. */
  naming?: string;
  /** Where its answer names what it made; if left out, as the thing's `madeBy` says. */
  gives?: Way;
}

export type Way = readonly (string | number)[];

export interface Thing {
  /** The operations whose answer names one, and where. */
  madeBy: Readonly<Record<string, Way>>;
  /** The operations after which it is of no more use. */
  usedUpBy?: readonly string[];
  /** A list, and where its answer names one. */
  foundBy?: { operation: string; query: Readonly<Record<string, string>>; at: Way };
  /** What makes one. If the last step gives no id, the list is asked again. */
  steps: readonly Step[];
}

const ID: Way = ['data', 'id'];
const TRANSACTION_ID: Way = ['data', 'transaction_id'];
const FIRST: Way = ['data', 0, 'id'];
const OWN_WALLET: Step = { operation: 'openWallet', unless: 'wallet_exists' };
const DEPOSIT: readonly Step[] = [OWN_WALLET, { operation: 'createSandboxDeposit' }];
const HELD_DEPOSIT: readonly Step[] = [
  OWN_WALLET,
  { operation: 'createSandboxDeposit', changes: { reference: 'sandbox:hold' }, gives: TRANSACTION_ID },
];
const HELD_PAYOUT: readonly Step[] = [
  ...DEPOSIT,
  { operation: 'createBankPayout', changes: { account_number: '0123450009' }, gives: TRANSACTION_ID },
];
const PERSON: Step = { operation: 'createIndividualCustomer', drawn: ['email', 'phone'] };
const BUSINESS: Step = { operation: 'createBusinessCustomer', drawn: ['email', 'phone'] };
const list = (operation: string, query: Readonly<Record<string, string>> = {}, at = FIRST) => ({
  operation,
  query: { ...query, limit: '1' },
  at,
});

const THING = {
  person: {
    madeBy: { createIndividualCustomer: ID },
    usedUpBy: ['closeCustomer'],
    foundBy: list('listCustomers', { customer_type: 'individual', status: 'active' }),
    steps: [PERSON],
  },
  business: {
    madeBy: { createBusinessCustomer: ID },
    usedUpBy: ['closeCustomer'],
    foundBy: list('listCustomers', { customer_type: 'business', status: 'active' }),
    steps: [BUSINESS],
  },
  customer: {
    madeBy: { createIndividualCustomer: ID, createBusinessCustomer: ID },
    foundBy: list('listCustomers'),
    steps: [PERSON],
  },
  customerToClose: {
    madeBy: { createIndividualCustomer: ID, createBusinessCustomer: ID },
    usedUpBy: ['closeCustomer'],
    steps: [PERSON],
  },
  wallet: { madeBy: { openWallet: ID }, foundBy: list('listWallets'), steps: [OWN_WALLET] },
  // A deposit like that of the example is COMPLETED by itself: only the steps make one that waits.
  heldDeposit: { madeBy: {}, steps: HELD_DEPOSIT },
  completedDeposit: {
    madeBy: { completeSandboxDeposit: TRANSACTION_ID },
    usedUpBy: ['reverseSandboxDeposit'],
    steps: [...HELD_DEPOSIT, { operation: 'completeSandboxDeposit', naming: 'id' }],
  },
  // A payout to an account like those of the examples settles by itself: only the steps make one that waits.
  heldPayout: { madeBy: {}, steps: HELD_PAYOUT },
  completedPayout: {
    madeBy: { completeSandboxPayout: TRANSACTION_ID },
    usedUpBy: ['returnSandboxPayout'],
    steps: [...HELD_PAYOUT, { operation: 'completeSandboxPayout', naming: 'id' }],
  },
  // Only a policy makes a payout wait, and a key alone makes no policy: found, or for the reader to fill in.
  waitingPayout: {
    madeBy: {},
    foundBy: list('listTransactions', { waiting_for: 'approval' }, ['data', 0, 'transaction_id']),
    steps: [],
  },
  quote: {
    madeBy: { createQuote: ['data', 'data', 'id'] },
    usedUpBy: ['executeSwap'],
    steps: [{ operation: 'createQuote' }],
  },
  swap: { madeBy: { createQuote: ['data', 'data', 'id'] }, steps: [{ operation: 'createQuote' }] },
  payoutMethod: {
    madeBy: { addBankPayoutMethod: ID, addWalletPayoutMethod: ID },
    usedUpBy: ['deletePayoutMethod'],
    steps: [{ operation: 'addBankPayoutMethod' }],
  },
  transaction: {
    madeBy: { createSandboxDeposit: TRANSACTION_ID, createBankPayout: TRANSACTION_ID },
    foundBy: list('listTransactions', {}, ['data', 0, 'transaction_id']),
    steps: DEPOSIT,
  },
  reference: {
    madeBy: {},
    foundBy: list('listTransactions', {}, ['data', 0, 'reference_id']),
    steps: DEPOSIT,
  },
  webhook: {
    madeBy: { createWebhook: ID },
    usedUpBy: ['deleteWebhook'],
    foundBy: list('listWebhooks'),
    steps: [{ operation: 'createWebhook' }],
  },
  webhookToDelete: {
    madeBy: { createWebhook: ID },
    usedUpBy: ['deleteWebhook'],
    steps: [{ operation: 'createWebhook' }],
  },
  event: { madeBy: {}, foundBy: list('listEvents'), steps: DEPOSIT },
  checkpointSize: { madeBy: {}, foundBy: list('listCheckpoints', {}, ['data', 0, 'size']), steps: DEPOSIT },
} satisfies Readonly<Record<string, Thing>>;

/**
 * What is missing when an operation is refused with this code, for the document's own bodies: with a test key the console
 * sends these steps and then the operation again, each once.
 */
export const REMEDIES: Readonly<Record<string, readonly Step[]>> = {
  wallet_not_found: [OWN_WALLET, { ...OWN_WALLET, example: 1 }],
  insufficient_funds: DEPOSIT,
  quote_required: [{ operation: 'createQuote' }],
};

export type ThingName = keyof typeof THING;
export const THINGS: Readonly<Record<ThingName, Thing>> = THING;

/** Which thing each parameter names, by operation; those of optional parameters are the reader's. */
export const NAMED_BY: Readonly<Record<string, Readonly<Record<string, ThingName>>>> = {
  getCustomer: { customerId: 'customer' },
  updateIndividualCustomer: { customerId: 'person' },
  updateBusinessCustomer: { customerId: 'business' },
  closeCustomer: { customerId: 'customerToClose' },
  getWallet: { wallet_id: 'wallet' },
  completeSandboxDeposit: { id: 'heldDeposit' },
  failSandboxDeposit: { id: 'heldDeposit' },
  reverseSandboxDeposit: { id: 'completedDeposit' },
  completeSandboxPayout: { id: 'heldPayout' },
  failSandboxPayout: { id: 'heldPayout' },
  returnSandboxPayout: { id: 'completedPayout' },
  approvePayout: { transaction_id: 'waitingPayout' },
  rejectPayout: { transaction_id: 'waitingPayout' },
  refreshQuote: { swapId: 'quote' },
  getSwap: { swapId: 'swap' },
  deletePayoutMethod: { payout_method_id: 'payoutMethod' },
  listCustomerTransactions: { customer_id: 'customer' },
  getTransaction: { transaction_id: 'transaction' },
  listTransactionsByReference: { reference_id: 'reference' },
  getWebhook: { webhook_id: 'webhook' },
  updateWebhook: { webhook_id: 'webhook' },
  deleteWebhook: { webhook_id: 'webhookToDelete' },
  rotateWebhookSecret: { webhook_id: 'webhook' },
  testWebhook: { webhook_id: 'webhook' },
  getEvent: { event_id: 'event' },
  resendEvent: { event_id: 'event' },
  getPastBalance: { wallet_id: 'wallet' },
  explainTransaction: { transaction_id: 'transaction' },
  proveTransaction: { transaction_id: 'transaction' },
  proveLiability: { wallet_id: 'wallet' },
  proveConsistency: { from: 'checkpointSize', to: 'checkpointSize' },
};
