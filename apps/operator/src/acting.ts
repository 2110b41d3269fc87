/**
 * Who acts, and why: part of every command that changes something, and of the record of it (libs/customer-store/src/
 * operator-acts). Where a person works on the own machine the program knows who that is; elsewhere it asks.
 */
import { namesNoPerson } from '@stablecoin/contracts/customer/case-reason';
import { ActedBy } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import { Command, InvalidArgumentError, Option } from 'commander';
import { textOfUpTo } from './arguments';
import { CommandContext } from './command-context';

export interface ActingOptions {
  actor?: string;
  reason?: string;
}

const ACTOR_CHARACTERS_MAX = 100;
const REASON_CHARACTERS_MAX = 500;

export const actorName = textOfUpTo(ACTOR_CHARACTERS_MAX);

/** The record is kept for ever and in clear, so that a reason must name no person. */
export function reasonText(value: string): string {
  const text = textOfUpTo(REASON_CHARACTERS_MAX)(value);
  if (namesNoPerson(text)) return text;
  throw new InvalidArgumentError('It must name a case, and no person: no e-mail address, no phone number.');
}

/** @param demands a reason for what concerns a customer or money, else only takes one */
export function acting(subcommand: Command, { demands }: { demands: boolean }): Command {
  const reason = new Option(
    '--reason <text>',
    'why, such as the number of a case: kept in clear, so never a name or an address',
  ).argParser(reasonText);
  return subcommand
    .option('--actor <name>', 'who acts; default OPERATOR_NAME, on your own machine the name of your login', actorName)
    .addOption(demands ? reason.makeOptionMandatory() : reason);
}

/** @throws ConfigurationError where nothing says who acts */
export function actedBy({ env, localUser }: CommandContext, { actor, reason }: ActingOptions): ActedBy {
  return { actor: actor ?? named(env['OPERATOR_NAME']) ?? localUser() ?? unnamed(), reason: reason ?? null };
}

function named(name: string | undefined): string | undefined {
  if (name === undefined || name === '') return undefined;
  try {
    return actorName(name);
  } catch {
    throw new ConfigurationError(`OPERATOR_NAME: expected text of 1 to ${ACTOR_CHARACTERS_MAX} characters.`);
  }
}

function unnamed(): never {
  throw new ConfigurationError('say who acts, with --actor NAME or OPERATOR_NAME: it goes on the record.');
}
