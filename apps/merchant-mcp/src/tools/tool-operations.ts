import { OperationDescription, OPERATIONS } from 'stablecoin-sdk/operations';

/** Why a method is no tool. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'documents.upload': 'it would read any file of this machine that a text tells the model to name',
  'payouts.approve': 'a second person approves what was asked for with the first key, and no model in its place',
  'webhooks.create': 'its answer has a secret, which does not belong into the context of a model',
  'webhooks.rotateSecret': 'its answer has a secret, which does not belong into the context of a model',
};
/** They add something, and take or change nothing that was there. All other writes are said to be destructive. */
const ADDITIVE = new Set([
  ...['customers.createIndividual', 'customers.createBusiness', 'wallets.open', 'payoutMethods.addBank'],
  ...[
    'payoutMethods.addWallet',
    'quotes.create',
    'quotes.refresh',
    'sandbox.deposit',
    'webhooks.test',
    'events.resend',
  ],
]);

const placeOf = ({ resource, method }: OperationDescription): string => `${resource}.${method}`;

export const isRead = ({ httpMethod }: OperationDescription): boolean => httpMethod === 'GET';

export const isDestructive = (operation: OperationDescription): boolean =>
  !isRead(operation) && !ADDITIVE.has(placeOf(operation));

export function toolOperations({ allowWrites }: { allowWrites: boolean }): OperationDescription[] {
  const offered = OPERATIONS.filter((operation) => !Object.hasOwn(LEFT_OUT, placeOf(operation)));
  return offered.filter((operation) => allowWrites || isRead(operation));
}

/** `payouts_create_to_bank` */
export const toolName = (operation: OperationDescription): string =>
  `${operation.resource}_${operation.method}`.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
