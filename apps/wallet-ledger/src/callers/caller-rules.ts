import { CallerRules } from '@stablecoin/messaging/caller-check';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';

type CallerSettings = Pick<WalletLedgerConfiguration, 'commandCallerKeys' | 'commandsAcceptedUnsigned'>;

export const callerRules = ({ commandCallerKeys, commandsAcceptedUnsigned }: CallerSettings): CallerRules => ({
  keys: commandCallerKeys,
  acceptsUnsigned: commandsAcceptedUnsigned,
});

/** @throws Error for a ledger that would take no command at all */
export function requireCallerKeys({ commandCallerKeys, commandsAcceptedUnsigned }: CallerSettings): void {
  if (commandCallerKeys.size > 0 || commandsAcceptedUnsigned) return;
  throw new Error('COMMAND_CALLER_KEYS is not set: the ledger would know no service that asks it for a command');
}
