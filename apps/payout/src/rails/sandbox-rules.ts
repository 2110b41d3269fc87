import { PayoutDestination } from '@stablecoin/contracts/wallet/views';

/** How a payout ends in the sandbox: `return` completes and is returned later, `hold` waits for a requested outcome. */
export type SandboxOutcome = 'complete' | 'fail' | 'return' | 'hold';

const BY_RECIPIENT: ReadonlyMap<string | null, SandboxOutcome> = new Map([
  ['sandbox:fail', 'fail'],
  ['sandbox:return', 'return'],
  ['sandbox:hold', 'hold'],
]);
const BY_ACCOUNT_ENDING: ReadonlyMap<string, SandboxOutcome> = new Map([
  ['0001', 'fail'],
  ['0002', 'return'],
  ['0009', 'hold'],
]);

/** The recipient's name decides, else the account number's last four characters; everything else completes. */
export function sandboxOutcome(destination: PayoutDestination): SandboxOutcome {
  const byRecipient = BY_RECIPIENT.get(destination.recipient_name);
  if (byRecipient) return byRecipient;
  if (destination.kind === 'wallet') return 'complete';
  return BY_ACCOUNT_ENDING.get(destination.account_number.slice(-4)) ?? 'complete';
}
