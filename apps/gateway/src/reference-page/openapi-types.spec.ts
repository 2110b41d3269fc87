import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { openApiText } from './openapi-text';

/** What a merchant's compiler makes of the document, by the types that openapi-typescript generates of it. */
const PROGRAM = `
import type { components, operations, webhooks } from './types';

type DataOf<Operation extends { responses: object }, Status extends keyof Operation['responses']> =
  Operation['responses'][Status] extends { content: { 'application/json': { data: infer Data } } } ? Data : never;

export function exactAnswers(
  individual: DataOf<operations['createIndividualCustomer'], 201>,
  business: DataOf<operations['updateBusinessCustomer'], 200>,
  bank: DataOf<operations['addBankPayoutMethod'], 200>,
): string[] {
  // @ts-expect-error a business is no person
  void business.personal_info;
  return [individual.personal_info.first_name, business.business_info.business_name, bank.account_number];
}

export function narrowedCustomer(customer: DataOf<operations['getCustomer'], 200>): string | null {
  // @ts-expect-error not before it is known to be a business
  void customer.business_info;
  return customer.customer_type === 'business' ? customer.business_info.business_name : customer.personal_info.first_name;
}

export function narrowedEvent(event: components['schemas']['Event']): string {
  // @ts-expect-error not before its type is known
  void event.data.amount;
  switch (event.type) {
    case 'customer.created':
    case 'customer.updated':
    case 'customer.closed':
      return event.data.kyc_status;
    case 'swap.completed':
      return event.data.debitTransaction.amount;
    case 'webhook.test':
      return event.data.webhook_id;
    default:
      return event.data.amount;
  }
}

export function paidOut(payout: DataOf<operations['createBankPayout'], 200>): string {
  // @ts-expect-error a dry run has none
  const id: string = payout.id;
  return 'dry_run' in payout ? payout.balance : payout.id + id;
}

export function swapped(swap: DataOf<operations['executeSwap'], 200>): string {
  if ('dry_run' in swap) return swap.swapId;
  return swap.debitTransaction.transaction_id;
}

export function received(body: webhooks['payout.failed']['post']['requestBody']['content']['application/json']): string {
  return narrowedEvent(body) + body.data.transaction_id;
}
`;

it('has exact answers, customers and events that narrow by their type, and dry runs by being one', async () => {
  const types = astToString(await openapiTypescript(openApiText()));
  expect(problemsOf({ 'types.ts': types, 'program.ts': PROGRAM })).toEqual([]);
}, 60_000);

function problemsOf(files: Readonly<Record<string, string>>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  const nameOf = (path: string) => path.split('/').at(-1) ?? '';
  host.fileExists = (path) => nameOf(path) in files || fileExists(path);
  host.readFile = (path) => files[nameOf(path)] ?? readFile(path);
  const program = ts.createProgram(['/program.ts'], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
