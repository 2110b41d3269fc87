import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { databaseFailure } from './database-error';
import { TRANSACTION_LIMITS } from './postgres';
import { Sql, Transactional } from './sql';

interface StoredCommand {
  merchant_id: string;
  input_hash: string;
  result: string;
}

/**
 * Lets a command take effect once: its work and its result, under its `command_id`, are one transaction, and a caller
 * that sends it again gets the stored result. A refused command stores nothing and is decided anew the next time.
 *
 * Needs a table `command_results (command_id uuid primary key, merchant_id uuid, input_hash text, result text)`.
 *
 * @throws Refusal the command's objection; `idempotency_in_flight` while the same command is running elsewhere,
 *   `idempotency_key_reused` when it took effect with another input or for another merchant, `unavailable` when the
 *   database is away or the outcome is unknown
 */
export async function takeEffectOnce<Transaction extends Sql, Result>(
  database: Transactional<Transaction>,
  command: MerchantCommand,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<CommandReply<Result>> {
  return asRefusal(() =>
    database.$transaction(async (transaction) => {
      const locked = await lockCommand(transaction, command.command_id);
      const stored = await findResult<Result>(transaction, command);
      if (stored) return { result: stored.result, replayed: true };
      if (!locked) throw new Refusal('idempotency_in_flight');
      if (command.objection) throw new Refusal(command.objection);
      const result = await work(transaction);
      await storeResult(transaction, command, result);
      return { result, replayed: false };
    }, TRANSACTION_LIMITS),
  );
}

/** The result that the command had when it took effect, if it did. */
export async function findResult<Result>(sql: Sql, command: MerchantCommand): Promise<{ result: Result } | undefined> {
  const [stored] = await sql.$queryRaw<StoredCommand[]>`
    SELECT merchant_id::text, input_hash, result FROM command_results WHERE command_id = ${command.command_id}::uuid`;
  if (!stored) return undefined;
  const same = stored.merchant_id === command.merchant_id && stored.input_hash === command.input_hash;
  if (!same) throw new Refusal('idempotency_key_reused');
  return { result: JSON.parse(stored.result) as Result };
}

export async function storeResult(sql: Sql, command: MerchantCommand, result: unknown): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO command_results (command_id, merchant_id, input_hash, result)
    VALUES (${command.command_id}::uuid, ${command.merchant_id}::uuid, ${command.input_hash}, ${JSON.stringify(result)})`;
}

/** Turns the error of a database that is away, or an unknown outcome, into the refusal that invites a retry. */
export async function asRefusal<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { kind } = databaseFailure(error);
    if (kind === 'unknown' || kind === 'retry') throw new Refusal('unavailable');
    throw error;
  }
}

/**
 * Locks the command until the transaction ends. False: another transaction has, to run it or only to read its result.
 */
export async function lockCommand(sql: Sql, commandId: string): Promise<boolean> {
  const [row] = await sql.$queryRaw<{ locked: boolean }[]>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${commandId}, 0)) AS locked`;
  return row?.locked ?? false;
}
