/** A real chain with a hot wallet, and what the chain service would have written down of it. */
import { randomUUID } from 'node:crypto';
import { ERC20 } from '@stablecoin/chains/erc20';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { toLedgerAmount } from '@stablecoin/chains/units';
import { BLOCKS_UNTIL_FINAL, startChain, TestChain, TestChainRequest } from '@stablecoin/testing/chain';
import { Client } from 'pg';
import { generatePrivateKey, PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { encodeFunctionData, Hex, toHex } from 'viem';

const bytes = (hex: Hex) => Buffer.from(hex.slice(2), 'hex');

export class AuditedChain {
  private constructor(
    readonly chain: TestChain,
    readonly hot: PrivateKeyAccount,
    private readonly database: Client,
  ) {}

  /** @param database of the chain service, as its owner */
  static async start(network: TestChainRequest['network'], database: Client): Promise<AuditedChain> {
    const hot = privateKeyToAccount(generatePrivateKey());
    return new AuditedChain(await startChain({ network, hotWallet: hot.address }), hot, database);
  }

  /** Tokens to a deposit address, which the watcher sees. */
  async deposit(currency: TokenCurrency, to: Hex, units: bigint): Promise<Hex> {
    return this.seen(currency, to, units, await this.chain.sendTokens(currency, to, units));
  }

  /** The watcher's row of a transfer, also of one that never was. */
  async seen(currency: TokenCurrency, to: Hex, units: bigint, hash: Hex): Promise<Hex> {
    const { address, network, ...token } = this.chain.token(currency);
    const { amount, rest } = toLedgerAmount({ address, network, ...token }, units);
    await this.database.query(
      `INSERT INTO deposits (id, network, transaction_hash, token, ordinal, round, from_address, to_address, currency, units,
         amount, rest_units, block_number, block_hash, standing, booked, wallet_id, merchant_id, shard, command_name)
       VALUES ($1::uuid, $2, $3, $4, 0, 0, $5, $6, $7, $8, $9, $10, $11, $3, 'final', 'recording', $1::uuid, $1::uuid, 0, $1::uuid::text)`,
      [
        ...[randomUUID(), network, bytes(hash), bytes(address), bytes(this.chain.faucet.address), bytes(to)],
        ...[currency, units, amount, rest, await this.chain.height()],
      ],
    );
    return hash;
  }

  /** The ledger has recorded it under this id. */
  async recorded(hash: Hex, ledgerId: string): Promise<void> {
    await this.database.query(`UPDATE deposits SET ledger_id = $2, booked = 'recorded' WHERE transaction_hash = $1`, [
      ...[bytes(hash), ledgerId],
    ]);
  }

  /** Tokens from the hot wallet, as ordered for a payout of the ledger. */
  async pay(currency: TokenCurrency, payoutId: string, to: Hex, units: bigint): Promise<Hex> {
    const hash = await this.send(currency, to, units);
    const id = randomUUID();
    await this.database.query(
      `INSERT INTO outgoing_transfers (id, reference, network, kind, from_address, to_address, currency, units, state, nonce,
         transaction_hash)
       VALUES ($1, $2, $3, 'payout', $4, $5, $6, $7, 'sent', (SELECT count(*) FROM outgoing_transfers), $8)`,
      [id, `payout-${payoutId}`, this.chain.network, bytes(this.hot.address), bytes(to), currency, units, bytes(hash)],
    );
    await this.database.query(
      `INSERT INTO transfer_attempts (transfer_id, number, gas, max_fee_per_gas, max_priority_fee_per_gas, raw, hash)
       VALUES ($1, 1, 100000, 1, 1, '\\x02', $2)`,
      [id, bytes(hash)],
    );
    return hash;
  }

  /** From a deposit address, whose key no one here has. */
  async sweep(currency: TokenCurrency, from: Hex, units: bigint): Promise<void> {
    const { address } = this.chain.token(currency);
    const data = encodeFunctionData({ abi: ERC20, functionName: 'transfer', args: [this.hot.address, units] });
    await this.chain.call('anvil_impersonateAccount', from);
    await this.chain.call('anvil_setBalance', from, toHex(10n ** 18n));
    await this.chain.call('eth_sendTransaction', { from, to: address, data });
    await this.chain.mine();
  }

  /** Tokens from the hot wallet, of which nothing is written down. */
  send(currency: TokenCurrency, to: Hex, units: bigint): Promise<Hex> {
    return this.chain.callToken(currency, 'transfer', [to, units], this.hot);
  }

  /** Everything so far is final, and walked. */
  async settle(): Promise<void> {
    await this.chain.mine(BLOCKS_UNTIL_FINAL + 1);
    const height = await this.chain.height();
    await this.database.query(
      `INSERT INTO walks (network, chain_id, start_number, tip_number, tip_hash, tip_timestamp, head_number, final_number,
         checked_number)
       VALUES ($1, $2, 0, $3, '\\x00', 0, $3, $3, 0) ON CONFLICT (network) DO UPDATE SET tip_number = $3, final_number = $3`,
      [this.chain.network, this.chain.chainId, height],
    );
  }

  stop(): Promise<void> {
    return this.chain.stop();
  }
}
