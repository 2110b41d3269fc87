import { TokenCurrency } from '@stablecoin/chains/tokens';
import { Address, TestChain } from '@stablecoin/testing/chain';
import { Hash, maxUint256 } from 'viem';

/** Several transfers of a token in one transaction, from the faucet. */
export class BatchTransfers {
  private constructor(
    private readonly chain: TestChain,
    private readonly contract: Address,
  ) {}

  static async on(chain: TestChain): Promise<BatchTransfers> {
    const contract = await chain.deploy('BatchSender');
    for (const currency of ['USDT', 'USDC'] as const)
      await chain.callToken(currency, 'approve', [contract, maxUint256]);
    await chain.mine();
    return new BatchTransfers(chain, contract);
  }

  send(currency: TokenCurrency, ...transfers: readonly { to: Address; units: bigint }[]): Promise<Hash> {
    const { address: token } = this.chain.token(currency);
    const parts = transfers.map((transfer) => ({ token, ...transfer }));
    return this.chain.callContract('BatchSender', this.contract, 'send', [parts]);
  }
}
