/**
 * Strangers with coins and tokens, who pay our wallets. Each has one transaction under way at the most, so that each of them
 * can vanish, move to another block or change places with another one, whatever becomes of the rest.
 */
import { TOKEN_CURRENCIES, type TokenCurrency } from '@stablecoin/chains/tokens';
import { type Address, BLOCKS_UNTIL_FINAL, type TestChain } from '@stablecoin/testing/chain';
import { type Abi, encodeFunctionData, type Hash, type Hex, maxUint256 } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { artifactOf, type ContractName } from '@stablecoin/test-tokens/artifacts';

const PAYERS = 16;
const COINS = 1_000n * 10n ** 18n;
/** Whole ones, for each payer. */
const TOKENS = 1_000_000n;
const GAS = 500_000n;
const FEE_PER_GAS = 100n * 10n ** 9n;

export interface Paid {
  hash: Hash;
  raw: Hex;
}

export interface PaidCall {
  to: Address;
  data: Hex;
}

export class Payers {
  private readonly underWay = new Map<Address, Hash>();

  private constructor(
    private readonly chain: TestChain,
    private readonly accounts: readonly PrivateKeyAccount[],
    /** Sends several transfers in one transaction. */
    readonly batchSender: Address,
    /** A token that is on no list. */
    readonly unlisted: Address,
  ) {}

  static async on(chain: TestChain): Promise<Payers> {
    const batchSender = await chain.deploy('BatchSender');
    const unlisted = await chain.deploy('PlainToken');
    const accounts = [];
    for (let count = 0; count < PAYERS; count += 1) accounts.push(await chain.account(COINS));
    await chain.callContract('PlainToken', unlisted, 'initialise', ['Fool USD', 'USDT', 6]);
    await chain.mine();
    for (const { address } of accounts) {
      for (const currency of TOKEN_CURRENCIES)
        await chain.sendTokens(currency, address, TOKENS * 10n ** BigInt(chain.token(currency).decimals));
      await chain.callContract('PlainToken', unlisted, 'mint', [address, TOKENS]);
    }
    for (const account of accounts)
      for (const currency of TOKEN_CURRENCIES)
        await chain.callToken(currency, 'approve', [batchSender, maxUint256], account);
    await chain.mine(2 * BLOCKS_UNTIL_FINAL);
    return new Payers(chain, accounts, batchSender, unlisted);
  }

  /** Undefined while all of them have one under way. */
  async pay(call: PaidCall): Promise<Paid | undefined> {
    const payer = this.accounts.find(({ address }) => !this.underWay.has(address));
    if (!payer) return undefined;
    const nonce = Number(await this.chain.call<string>('eth_getTransactionCount', payer.address, 'latest'));
    const raw = await payer.signTransaction({
      ...{ type: 'eip1559', chainId: this.chain.chainId, nonce, gas: GAS, ...call },
      ...{ maxFeePerGas: FEE_PER_GAS, maxPriorityFeePerGas: 1n },
    });
    const hash = await this.chain.call<Hash>('eth_sendRawTransaction', raw);
    this.underWay.set(payer.address, hash);
    return { hash, raw };
  }

  /** These are final, or can never come again: their payers may pay once more. */
  release(hashes: ReadonlySet<Hash>): void {
    for (const [address, hash] of this.underWay) if (hashes.has(hash)) this.underWay.delete(address);
  }

  releaseAll(): void {
    this.underWay.clear();
  }

  transfer(currency: TokenCurrency, to: Address, units: bigint): PaidCall {
    return call('UsdtLikeToken', this.chain.token(currency).address, 'transfer', [to, units]);
  }

  transferOfUnlisted(to: Address, units: bigint): PaidCall {
    return call('PlainToken', this.unlisted, 'transfer', [to, units]);
  }

  batch(transfers: readonly { currency: TokenCurrency; to: Address; units: bigint }[]): PaidCall {
    const parts = transfers.map(({ currency, to, units }) => ({
      token: this.chain.token(currency).address,
      to,
      units,
    }));
    return call('BatchSender', this.batchSender, 'send', [parts]);
  }
}

function call(contract: ContractName, to: Address, functionName: string, args: readonly unknown[]): PaidCall {
  return { to, data: encodeFunctionData({ abi: artifactOf(contract).abi as Abi, functionName, args }) };
}
