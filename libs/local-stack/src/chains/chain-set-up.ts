// What a chain of the local stack has to have before it is of use: the tokens' code at their real addresses, a faucet with
// coins and tokens, and a hot wallet to pay from. Done again at every start, it changes only what is missing.

import { artifactOf, type ContractName } from '@stablecoin/test-tokens/artifacts';
import { CHAINS, type EvmNetwork } from '@stablecoin/chains/chains';
import { ERC20, topicOf, TRANSFER_TOPIC } from '@stablecoin/chains/erc20';
import { type Token, type TokenCurrency, TOKENS } from '@stablecoin/chains/tokens';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import type { Abi } from 'viem';
import { decodeFunctionResult, encodeFunctionData, parseAbi, toHex } from 'viem/utils';
import type { Address } from './accounts';
import type { AnvilRpc } from './anvil-rpc';

const NO_ACCOUNT: Address = `0x${'0'.repeat(40)}`;
const COIN = 10n ** 18n;
const FAUCET_COINS = 1_000_000n * COIN;
const FAUCET_TOKENS = 1_000_000_000n;
const HOT_WALLET_COINS = 100n * COIN;
const HOT_WALLET_TOKENS = 1_000_000n;
/** More than any call here needs: nothing is estimated before what stands ahead of it in the same block has run. */
const GAS = 300_000n;

/** How the contract of each token behaves; where the real one is a plain ERC-20, so is ours. */
const CONTRACT_OF: Readonly<Record<EvmNetwork, Readonly<Record<TokenCurrency, ContractName>>>> = {
  erc20: { USDT: 'UsdtLikeToken', USDC: 'UsdcLikeToken' },
  bep20: { USDT: 'PlainToken', USDC: 'PlainToken' },
  polygon: { USDT: 'PlainToken', USDC: 'UsdcLikeToken' },
};
const NAMES: Readonly<Record<TokenCurrency, string>> = { USDT: 'Tether USD', USDC: 'USD Coin' };

const ABI: Abi = [
  ...ERC20,
  ...parseAbi([
    'function initialise(string name, string symbol, uint8 decimals)',
    'function owner() view returns (address)',
    'function mint(address to, uint256 units)',
  ]),
];
type FunctionName = 'initialise' | 'mint' | 'transfer';

export interface ChainSetUp {
  network: EvmNetwork;
  /** Owns the tokens. */
  faucet: Address;
  hotWallet?: Address;
}

/** The tokens of a network. */
export const tokensOn = (network: EvmNetwork): readonly Token[] => TOKENS.filter((token) => token.network === network);

/** @returns whether anything was missing; then a block was made */
export async function setUpChain(rpc: AnvilRpc, { network, faucet, hotWallet }: ChainSetUp): Promise<boolean> {
  const tokens = tokensOn(network);
  for (const token of tokens) await placeCode(rpc, token);
  if ((await coinsOf(rpc, faucet)) < FAUCET_COINS / 2n) await setCoins(rpc, faucet, FAUCET_COINS);
  const calls = [];
  for (const token of tokens) calls.push(...(await missingOf(rpc, token, faucet, hotWallet)));
  if (hotWallet !== undefined && (await isUntouched(rpc, hotWallet)))
    calls.push({ to: hotWallet, value: toHex(HOT_WALLET_COINS) });
  if (calls.length === 0) return false;
  await sendAll(rpc, faucet, calls);
  for (const token of tokens) await requireDecimals(rpc, token);
  return true;
}

export const setCoins = (rpc: AnvilRpc, account: Address, wei: bigint) =>
  rpc.call<null>('anvil_setBalance', account, toHex(wei));

/** A changed source replaces the code; what the contract has stored stays. */
async function placeCode(rpc: AnvilRpc, { network, currency, address }: Token): Promise<void> {
  const { deployedCode } = artifactOf(CONTRACT_OF[network][currency]);
  if ((await rpc.call<string>('eth_getCode', address, 'latest')) === deployedCode) return;
  await rpc.call('anvil_setCode', address, deployedCode);
}

interface FaucetCall {
  to: Address;
  data?: `0x${string}`;
  value?: `0x${string}`;
}

async function missingOf(rpc: AnvilRpc, token: Token, faucet: Address, hotWallet?: Address): Promise<FaucetCall[]> {
  const { network, currency, address, decimals } = token;
  const unit = 10n ** BigInt(decimals);
  const send = (functionName: FunctionName, args: readonly unknown[]): FaucetCall => ({
    to: address,
    data: encodeFunctionData({ abi: ABI, functionName, args }),
  });
  const owner = await view<string>(rpc, address, 'owner');
  if (owner !== NO_ACCOUNT && owner !== faucet)
    throw new OperatorError(
      `The local ${CHAINS[network].name} chain was made with another faucet's key (secrets.json): ` +
        'restore that file, or begin new chains by removing the folder chains beside it.',
    );
  const balance = await view<bigint>(rpc, address, 'balanceOf', faucet);
  const wanted = FAUCET_TOKENS * unit;
  return [
    ...(owner === NO_ACCOUNT ? [send('initialise', [NAMES[currency], currency, decimals])] : []),
    ...(balance < wanted / 2n ? [send('mint', [faucet, wanted - balance])] : []),
    ...(hotWallet !== undefined && !(await hasReceived(rpc, address, faucet, hotWallet))
      ? [send('transfer', [hotWallet, HOT_WALLET_TOKENS * unit])]
      : []),
  ];
}

/** By the chain's own logs: a hot wallet that was funded once and has paid all of it out is not funded again. */
async function hasReceived(rpc: AnvilRpc, token: Address, from: Address, to: Address): Promise<boolean> {
  const topics = [TRANSFER_TOPIC, topicOf(from), topicOf(to)];
  const filter = { address: token, topics, fromBlock: '0x0', toBlock: 'latest' };
  return (await rpc.call<unknown[]>('eth_getLogs', filter)).length > 0;
}

const coinsOf = async (rpc: AnvilRpc, account: Address) =>
  BigInt(await rpc.call<string>('eth_getBalance', account, 'latest'));

async function isUntouched(rpc: AnvilRpc, account: Address): Promise<boolean> {
  const sent = await rpc.call<string>('eth_getTransactionCount', account, 'latest');
  return BigInt(sent) === 0n && (await coinsOf(rpc, account)) === 0n;
}

async function requireDecimals(rpc: AnvilRpc, { address, decimals }: Token): Promise<void> {
  const found = await view<number>(rpc, address, 'decimals');
  if (found !== decimals) throw new Error(`${address} has ${found} decimals instead of ${decimals}`);
}

async function view<Result>(
  rpc: AnvilRpc,
  token: Address,
  functionName: 'owner' | 'decimals' | 'balanceOf',
  ...args: readonly Address[]
): Promise<Result> {
  const data = encodeFunctionData({ abi: ABI, functionName, args });
  const answer = await rpc.call<`0x${string}`>('eth_call', { to: token, data }, 'latest');
  return decodeFunctionResult({ abi: ABI, functionName, data: answer }) as Result;
}

/** One block with all of them, in this order. */
async function sendAll(rpc: AnvilRpc, from: Address, calls: readonly FaucetCall[]): Promise<void> {
  await rpc.call('anvil_impersonateAccount', from);
  const hashes: string[] = [];
  for (const call of calls) hashes.push(await rpc.call('eth_sendTransaction', { from, gas: toHex(GAS), ...call }));
  await rpc.call('evm_mine');
  await rpc.call('anvil_stopImpersonatingAccount', from);
  for (const hash of hashes) {
    const receipt = await rpc.call<{ status: string } | null>('eth_getTransactionReceipt', hash);
    if (receipt?.status !== '0x1') throw new Error(`The set-up of a chain failed in its transaction ${hash}`);
  }
}
