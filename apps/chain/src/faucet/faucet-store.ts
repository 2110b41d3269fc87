import { Injectable } from '@nestjs/common';
import { Hash, Hex } from '@stablecoin/chain-node/chain-node';
import { SimulateChainDeposit } from '@stablecoin/contracts/chain/simulate-deposit';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { DEPOSIT_COLUMNS, DepositRow } from '../deposits/deposit-rows';
import { byteaText } from '../persistence/bytes';
import { ChainDatabase } from '../persistence/chain-database';

/** A transaction of the faucet, as it is signed. */
export interface SignedTransfer {
  nonce: number;
  hash: Hash;
  raw: Hex;
}

interface FaucetRow {
  merchant_id: string;
  input_hash: string;
  nonce: bigint;
  hash: Hash;
  raw: Hex;
}

/** Where a wallet takes deposits on a network. */
export interface DepositPlace {
  address: Hex;
  currency: string;
}

@Injectable()
export class FaucetStore {
  constructor(private readonly database: ChainDatabase) {}

  /** @throws Refusal where the command was another one's */
  async find({ command_id, merchant_id, input_hash }: SimulateChainDeposit): Promise<SignedTransfer | undefined> {
    const [row] = await this.database.$queryRaw<FaucetRow[]>`
      SELECT merchant_id::text, input_hash, nonce, '0x' || encode(transaction_hash, 'hex') AS hash,
        '0x' || encode(raw, 'hex') AS raw
      FROM faucet_transfers WHERE command_id = ${command_id}::uuid`;
    if (!row) return undefined;
    if (row.merchant_id !== merchant_id || row.input_hash !== input_hash) throw new Refusal('idempotency_key_reused');
    return { nonce: Number(row.nonce), hash: row.hash, raw: row.raw };
  }

  /** @throws Refusal where the same command is being carried out elsewhere */
  async add(command: SimulateChainDeposit, { nonce, hash, raw }: SignedTransfer): Promise<void> {
    const { command_id, merchant_id, input_hash, network } = command;
    const added = await this.database.$executeRaw`
      INSERT INTO faucet_transfers (command_id, merchant_id, input_hash, network, nonce, transaction_hash, raw)
      VALUES (${command_id}::uuid, ${merchant_id}::uuid, ${input_hash}, ${network}, ${nonce}::bigint,
        ${byteaText(hash)}::bytea, ${byteaText(raw)}::bytea)
      ON CONFLICT (command_id) DO NOTHING`;
    if (added === 0) throw new Refusal('idempotency_in_flight');
  }

  /** For one that can never be in a block: another transaction has its nonce. */
  async replace({ command_id }: SimulateChainDeposit, former: SignedTransfer, next: SignedTransfer): Promise<void> {
    const replaced = await this.database.$executeRaw`
      UPDATE faucet_transfers SET nonce = ${next.nonce}::bigint, transaction_hash = ${byteaText(next.hash)}::bytea,
        raw = ${byteaText(next.raw)}::bytea
      WHERE command_id = ${command_id}::uuid AND transaction_hash = ${byteaText(former.hash)}::bytea`;
    if (replaced === 0) throw new Refusal('idempotency_in_flight');
  }

  /** Undefined until the ledger's fact of the wallet has come. */
  async placeOf({ merchant_id, wallet_id, network }: SimulateChainDeposit): Promise<DepositPlace | undefined> {
    const [place] = await this.database.$queryRaw<DepositPlace[]>`
      SELECT '0x' || encode(address, 'hex') AS address, currency FROM deposit_addresses
      JOIN wallets ON wallets.id = wallet_id
      WHERE wallet_id = ${wallet_id}::uuid AND merchant_id = ${merchant_id}::uuid AND network = ${network}
      ORDER BY recorded_at LIMIT 1`;
    return place;
  }

  /** Once the ledger has answered about it. */
  async depositOf({ network }: SimulateChainDeposit, hash: Hash): Promise<DepositRow | undefined> {
    const [deposit] = await this.database.$queryRaw<DepositRow[]>`
      SELECT ${DEPOSIT_COLUMNS} FROM deposits
      WHERE network = ${network} AND transaction_hash = ${byteaText(hash)}::bytea
        AND (ledger_id IS NOT NULL OR booked = 'unrecognised')
      ORDER BY round LIMIT 1`;
    return deposit;
  }
}
