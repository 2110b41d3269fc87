import type { IndividualCustomerParams, WalletParams } from '@stablecoin/sdk-typescript/index';
import { individual, uniqueEmail, uniquePhone } from '@stablecoin/testing/person';
import { Client } from './client';
import { Customer, Transaction, Wallet } from './resources';

export const ADDRESSES = {
  erc20: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  trc20: 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL',
  solana: '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA',
};

/** A body that creates a business. */
export function business(changes: Record<string, unknown> = {}) {
  return { business_name: 'Marina Traders Ltd', email: uniqueEmail(), phone: uniquePhone(), ...changes };
}

export function createIndividual(merchant: Client, changes: Record<string, unknown> = {}): Promise<Customer> {
  return merchant.sdk.customers.createIndividual(individual(changes) as object as IndividualCustomerParams);
}

export function createBusiness(merchant: Client, changes: Record<string, unknown> = {}): Promise<Customer> {
  return merchant.sdk.customers.createBusiness(business(changes));
}

/** Opens a wallet and, given an amount, lets a deposit arrive in it: it is spendable when this returns. */
export async function openWallet(merchant: Client, request: WalletParams, amount?: string): Promise<Wallet> {
  const wallet = await merchant.sdk.wallets.open(request);
  if (amount !== undefined) await deposit(merchant, wallet.id, amount);
  return wallet;
}

export function deposit(merchant: Client, wallet_id: string, amount: string): Promise<Transaction> {
  return merchant.sdk.sandbox.deposit({ wallet_id, amount });
}

export async function balanceOf(merchant: Client, walletId: string): Promise<string> {
  return (await merchant.sdk.wallets.get(walletId)).balance;
}
