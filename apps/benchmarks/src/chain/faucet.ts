import type { ChainDescription } from '@stablecoin/local-stack/description';
import { artifactOf } from '@stablecoin/test-tokens/artifacts';
import {
  type Abi,
  createWalletClient,
  encodeFunctionData,
  type Hash,
  type Hex,
  http,
  maxUint256,
  publicActions,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Where the contract that sends a batch is put; nothing else is there. */
const BATCH_SENDER = '0x00000000000000000000000000000000ba7c4000';
const GAS_OF_TRANSFER = 100_000n;
const GAS_OF_BATCH = 12_000_000n;
const RECEIPT_POLL_MS = 200;

export interface Payment {
  to: Hex;
  units: bigint;
}

/** Sends USDT from the faucet of a local chain: what comes from outside, and costs our services nothing. */
export class Faucet {
  private readonly account;
  private readonly client;
  private readonly token: Hex;
  private nonce = 0;

  private constructor({ rpc_url, tokens, faucet_private_key }: ChainDescription) {
    this.account = privateKeyToAccount(faucet_private_key as Hex);
    const transport = http(rpc_url);
    this.client = createWalletClient({ account: this.account, transport, pollingInterval: RECEIPT_POLL_MS }).extend(
      publicActions,
    );
    this.token = tokens.USDT.address as Hex;
  }

  static async of(chain: ChainDescription): Promise<Faucet> {
    const faucet = new Faucet(chain);
    faucet.nonce = await faucet.client.getTransactionCount({ address: faucet.account.address, blockTag: 'pending' });
    await faucet.client.request({
      method: 'anvil_setCode',
      params: [BATCH_SENDER, artifactOf('BatchSender').deployedCode],
    } as never);
    await faucet.included(await faucet.call(faucet.token, 'UsdtLikeToken', 'approve', [BATCH_SENDER, maxUint256]));
    return faucet;
  }

  pay({ to, units }: Payment): Promise<Hash> {
    return this.call(this.token, 'UsdtLikeToken', 'transfer', [to, units]);
  }

  /** In one transaction. */
  payMany(payments: readonly Payment[]): Promise<Hash> {
    const transfers = payments.map((payment) => ({ token: this.token, ...payment }));
    return this.call(BATCH_SENDER, 'BatchSender', 'send', [transfers], GAS_OF_BATCH);
  }

  async included(hash: Hash): Promise<void> {
    const { status } = await this.client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`${hash} was reverted`);
  }

  private call(
    to: Hex,
    contract: 'UsdtLikeToken' | 'BatchSender',
    functionName: string,
    args: readonly unknown[],
    gas = GAS_OF_TRANSFER,
  ): Promise<Hash> {
    const data = encodeFunctionData({ abi: artifactOf(contract).abi as Abi, functionName, args });
    this.nonce += 1;
    return this.client.sendTransaction({ chain: null, to, data, gas, nonce: this.nonce - 1 });
  }
}
