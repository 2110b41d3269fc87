import { ActedBy } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { Command } from 'commander';
import { actedBy, ActingOptions } from './acting';
import { wholeNumber } from './arguments';
import { CommandContext } from './command-context';

/** Of a command that lists merchants or customers. */
export interface ListOptions extends ActingOptions {
  limit: number;
  personalData?: boolean;
  json?: boolean;
}

const LIMIT_MAX = 10_000;

export const LIMIT = ['--limit <number>', `how many, up to ${LIMIT_MAX}`, wholeNumber(LIMIT_MAX), 1_000] as const;
export const PERSONAL_DATA = [
  '--personal-data',
  'with names and e-mail addresses: goes on the record, and needs --reason',
] as const;

/** Who looks at personal data, and why: not without a reason. */
export function onTheRecord(context: CommandContext, who: ActingOptions, self: Command): ActedBy {
  if (who.reason === undefined) self.error('error: --personal-data needs a --reason');
  return actedBy(context, who);
}
