import { randomUUID } from 'node:crypto';
import { ResolveUnrecognised, resolveUnrecognised, Resolved } from '@stablecoin/contracts/chain/resolve-unrecognised';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { DEPOSIT_COLUMNS, DepositRow } from '../deposits/deposit-rows';
import { DepositWorker } from '../deposits/deposit-worker';
import { ChainDatabase } from '../persistence/chain-database';

interface WalletRow {
  id: string;
  merchant_id: string;
  shard: number;
  currency: string;
}

/**
 * Records what an operator decided and acts on it, in one commit. A deposit that is to be credited goes the way of any
 * other from here on, to the wallet that was named, under a command of its own: a refused one left nothing at the ledger.
 */
@Handles(resolveUnrecognised)
export class ResolveUnrecognisedHandler {
  constructor(
    private readonly database: ChainDatabase,
    private readonly worker: DepositWorker,
  ) {}

  async execute(command: ResolveUnrecognised): Promise<Resolved> {
    requireWhole(command);
    await asRefusal(() =>
      this.database.$transaction(async (sql) => {
        const resolution = randomUUID();
        const deposit = await unresolved(sql, command.id);
        if (command.resolution === 'credit')
          await credit(sql, deposit, await walletFor(sql, command, deposit), resolution);
        else await sql.$executeRaw`UPDATE deposits SET booked = 'resolved' WHERE id = ${deposit.id}::uuid`;
        await record(sql, command, resolution);
      }, TRANSACTION_LIMITS),
    );
    this.worker.wake();
    return { id: command.id, resolution: command.resolution };
  }
}

function requireWhole({ resolution, wallet_id, transaction_hash }: ResolveUnrecognised): void {
  const required = (field: string) => Refusal.ofField(field, 'required', `is needed for ${resolution}, and only then`);
  if ((resolution === 'credit') !== Boolean(wallet_id)) throw required('wallet_id');
  if ((resolution === 'returned') !== Boolean(transaction_hash)) throw required('transaction_hash');
}

async function unresolved(sql: Sql, id: string): Promise<DepositRow> {
  const [deposit] = await sql.$queryRaw<DepositRow[]>`
    SELECT ${DEPOSIT_COLUMNS} FROM deposits WHERE id = ${id}::uuid FOR UPDATE`;
  if (!deposit || deposit.unrecognised_reason === null) throw new Refusal('not_found');
  // Its transfer is on the chain no longer: there is nothing to credit or to return.
  if (deposit.booked !== 'unrecognised' || deposit.standing === 'gone') throw new Refusal('invalid_transition');
  return deposit;
}

async function walletFor(sql: Sql, { wallet_id }: ResolveUnrecognised, deposit: DepositRow): Promise<WalletRow> {
  const [wallet] = await sql.$queryRaw<WalletRow[]>`
    SELECT id::text, merchant_id::text, shard, currency FROM wallets WHERE id = ${wallet_id}::uuid`;
  if (!wallet) throw new Refusal('wallet_not_found');
  // One of an unknown token has no currency.
  if (wallet.currency !== deposit.currency) throw new Refusal('unsupported_pair');
  // There is nothing in it that the ledger could book.
  if (deposit.units === deposit.rest_units) throw new Refusal('unsupported_pair');
  return wallet;
}

async function credit(sql: Sql, deposit: DepositRow, wallet: WalletRow, resolution: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE deposits SET booked = 'nothing', wallet_id = ${wallet.id}::uuid, merchant_id = ${wallet.merchant_id}::uuid,
      shard = ${wallet.shard}::int, command_name = ${`${deposit.command_name}:${resolution}`}, attempts = 0,
      version = version + 1, next_step_at = clock_timestamp(), updated_at = clock_timestamp()
    WHERE id = ${deposit.id}::uuid`;
}

async function record(sql: Sql, command: ResolveUnrecognised, resolution: string): Promise<void> {
  const { id, actor, reason, wallet_id = null, transaction_hash = null } = command;
  await sql.$executeRaw`
    INSERT INTO resolutions (id, deposit_id, resolution, wallet_id, transaction_hash, actor, reason)
    VALUES (${resolution}::uuid, ${id}::uuid, ${command.resolution}, ${wallet_id}::uuid, ${transaction_hash}, ${actor},
      ${reason})`;
}
