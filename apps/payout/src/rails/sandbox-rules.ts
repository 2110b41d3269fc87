import { createHash } from 'node:crypto';
import { base58 } from '@scure/base';
import { PayoutDestination } from '@stablecoin/contracts/wallet/views';
import { Network } from '@stablecoin/money/currency';

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

/** What the rail would call the payout: a bank's short reference, or a transaction hash as its chain writes them. */
export function sandboxRailReference(reference: string, network: Network | null): string {
  const hash = createHash('sha512').update(`sandbox-rail:${reference}`).digest();
  switch (network) {
    case null:
      return `SBX${hash.toString('hex', 0, 8).toUpperCase()}`;
    case 'erc20':
    case 'bep20':
    case 'polygon':
      return `0x${hash.toString('hex', 0, 32)}`;
    case 'trc20':
      return hash.toString('hex', 0, 32);
    case 'solana':
      return base58.encode(hash);
  }
}
