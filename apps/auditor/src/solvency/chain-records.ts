/**
 * What the chain service has written down: deposits seen, and transfers ordered. It is a claim of the one who is audited, which
 * explains what the nodes and the ledger say, and never replaces either.
 */
import { Hex } from '@stablecoin/chain-node/chain-node';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { Token } from '@stablecoin/chains/tokens';
import { DepositStanding, TransferKind, TransferState } from '@stablecoin/contracts/chain/views';
import pg from 'pg';
import { AuditFailure } from '../report/report';
import { settingOf } from '../settings/setting-of';
import { Decision } from './decisions';
import { ofUnits } from './amounts';
import { Order, SeenDeposit } from './reconcile';

export const CHAIN_ENVIRONMENT = [
  'CHAIN_AUDIT_DATABASE_URL',
  'CHAIN_MIGRATION_DATABASE_URL',
  'CHAIN_DATABASE_URL',
] as const;

const CONNECT_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 10 * 60_000;
const IDLE_TIMEOUT_MS = 5 * 60_000;

export interface Walked {
  /** Every block up to it was looked at. */
  tip: number;
  /** What the watcher takes for final. */
  final: number;
}

export interface ChainRecords {
  deposits: SeenDeposit[];
  orders: Order[];
}

/** The service's database, in one snapshot. */
export class ChainRecordsReader {
  private constructor(
    private readonly client: pg.Client,
    /** For messages: the URL holds a password. */
    private readonly place: string,
  ) {}

  static async with<Result>(
    env: NodeJS.ProcessEnv,
    work: (reader: ChainRecordsReader) => Promise<Result>,
  ): Promise<Result> {
    const name = CHAIN_ENVIRONMENT.find((variable) => settingOf(env, variable));
    const url = name && settingOf(env, name);
    if (!url) throw new AuditFailure(`No database of the chain service named: set ${CHAIN_ENVIRONMENT[0]}.`);
    if (!URL.canParse(url)) throw new AuditFailure(`${name} is no URL.`);
    const { host, pathname } = new URL(url);
    const client = new pg.Client({
      connectionString: url,
      application_name: 'auditor',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    const reader = new ChainRecordsReader(client, `${host}${pathname} (${name})`);
    try {
      await reader.ask(() => client.connect());
      return await work(reader);
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await question();
    } catch (error) {
      const { code, message } = error as { code?: string; message?: string };
      throw new AuditFailure(`${this.place} can't be read: ${message || code || 'no answer'}.`);
    }
  }

  private async rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.ask(async () => (await this.client.query<Row>(text, values)).rows);
  }

  /** Undefined for a network that was never walked. */
  async walked(network: EvmNetwork): Promise<Walked | undefined> {
    const [row] = await this.rows<{ tip_number: string; final_number: string }>(
      'SELECT tip_number, final_number FROM walks WHERE network = $1',
      [network],
    );
    return row && { tip: Number(row.tip_number), final: Number(row.final_number) };
  }

  /** Everything that is read in it is of one moment. */
  async inOneSnapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.rows('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await work();
    await this.rows('COMMIT');
    return result;
  }

  async recordsOf(token: Token): Promise<ChainRecords> {
    const deposits = await this.rows<DepositRow>(DEPOSITS, [token.network, bytesOf(token.address)]);
    const orders = await this.rows<OrderRow>(ORDERS, [token.network, token.currency]);
    return {
      deposits: deposits.map((row) => depositOf(row, token)),
      orders: orders.map((row) => orderOf(row, token)),
    };
  }

  /** The addresses that the service pays from, in lower case. */
  async hotWallets(network: EvmNetwork): Promise<Hex[]> {
    const rows = await this.rows<{ address: Hex }>(
      `SELECT DISTINCT '0x' || encode(from_address, 'hex') AS address FROM outgoing_transfers
       WHERE network = $1 AND from_index IS NULL`,
      [network],
    );
    return rows.map(({ address }) => address);
  }
}

const DEPOSITS = `
  SELECT deposits.id::text, '0x' || encode(deposits.transaction_hash, 'hex') AS transaction_hash,
    '0x' || encode(to_address, 'hex') AS to_address, units::text, rest_units::text, block_number::text, standing, booked,
    merchant_id::text, ledger_id::text, ARRAY(
      SELECT json_build_object('resolution', resolution, 'wallet_id', wallet_id, 'transaction_hash', transaction_hash, 'actor', actor,
        'reason', reason, 'decided_at', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      FROM resolutions WHERE deposit_id = deposits.id ORDER BY created_at DESC, id
    ) AS decisions
  FROM deposits
  WHERE network = $1 AND token = $2`;

const ORDERS = `
  SELECT reference, kind, state, '0x' || encode(to_address, 'hex') AS to_address, units::text,
    ARRAY(
      SELECT '0x' || encode(hash, 'hex') FROM transfer_attempts
      WHERE transfer_id = outgoing_transfers.id AND hash IS NOT NULL AND NOT cancels
    ) AS hashes
  FROM outgoing_transfers WHERE network = $1 AND currency = $2`;

interface DepositRow {
  id: string;
  transaction_hash: Hex;
  to_address: Hex;
  units: string;
  rest_units: string;
  block_number: string;
  standing: DepositStanding;
  booked: string;
  merchant_id: string;
  ledger_id: string | null;
  /** Newest first. */
  decisions: Decision[];
}

interface OrderRow {
  reference: string;
  kind: TransferKind;
  state: TransferState;
  to_address: Hex;
  units: string;
  hashes: Hex[];
}

const depositOf = ({ decisions, ...row }: DepositRow, token: Token): SeenDeposit => ({
  id: row.id,
  transactionHash: row.transaction_hash,
  to: row.to_address,
  held: ofUnits(token, BigInt(row.units)),
  rest: ofUnits(token, BigInt(row.rest_units)),
  blockNumber: Number(row.block_number),
  standing: row.standing,
  booked: row.booked,
  merchantId: row.merchant_id,
  ledgerId: row.ledger_id,
  decisions,
  resolution: decisions[0]?.resolution ?? null,
  creditedTo: decisions[0]?.resolution === 'credit' ? decisions[0].wallet_id : null,
  returnedBy: (decisions[0]?.transaction_hash?.toLowerCase() ?? null) as Hex | null,
});

const orderOf = (row: OrderRow, token: Token): Order => ({
  reference: row.reference,
  kind: row.kind,
  state: row.state,
  to: row.to_address,
  amount: ofUnits(token, BigInt(row.units)),
  hashes: row.hashes,
});

const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex');
