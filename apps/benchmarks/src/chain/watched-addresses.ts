import type { Hex } from 'viem';
import { Client } from 'pg';

const PREFIX = 'be';

/** Addresses that only this benchmark knows of, numbered from 0, and what the chain service has stored of them. */
export class WatchedAddresses {
  private count = 0;

  private constructor(private readonly client: Client) {}

  /** @param ownerUrl of the database `chain` */
  static async in(ownerUrl: string): Promise<WatchedAddresses> {
    const client = new Client({ connectionString: ownerUrl });
    await client.connect();
    return new WatchedAddresses(client);
  }

  static address = (number: number): Hex => `0x${PREFIX}${number.toString(16).padStart(38, '0')}`;

  /** Up to `count` of them are the wallet's, as if the ledger had given them out long ago. */
  async grow(count: number, walletId: string): Promise<void> {
    await this.client.query(
      `INSERT INTO deposit_addresses (address, network, wallet_id, recorded_at, unchecked)
       SELECT decode('${PREFIX}' || lpad(to_hex(number), 38, '0'), 'hex'), 'erc20', $1::uuid, now(), false
       FROM generate_series($2::int, $3::int - 1) AS number`,
      [walletId, this.count, count],
    );
    await this.client.query('ANALYZE deposit_addresses');
    this.count = count;
  }

  /** Deposits that the ledger has recorded, at these addresses. */
  async recorded(): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM deposits
       WHERE booked IN ('recorded', 'completed') AND get_byte(to_address, 0) = get_byte(decode('${PREFIX}', 'hex'), 0)
         AND get_byte(to_address, 1) = 0`,
    );
    return rows[0]?.count ?? 0;
  }

  close(): Promise<void> {
    return this.client.end();
  }
}
