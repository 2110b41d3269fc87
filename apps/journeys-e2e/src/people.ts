import { individual, uniqueEmail, uniquePhone } from '@stablecoin/testing/person';
import { Client, dataOf } from './client';
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
  return dataOf(merchant.post<Customer>('/individual-customers', individual(changes)), 201);
}

export function createBusiness(merchant: Client, changes: Record<string, unknown> = {}): Promise<Customer> {
  return dataOf(merchant.post<Customer>('/business-customers', business(changes)), 201);
}

/** Opens a wallet and, given an amount, lets a deposit arrive in it: it is spendable when this returns. */
export async function openWallet(merchant: Client, request: Record<string, unknown>, amount?: string): Promise<Wallet> {
  const wallet = await dataOf(merchant.post<Wallet>('/wallets', request));
  if (amount !== undefined) await deposit(merchant, wallet.id, amount);
  return wallet;
}

export function deposit(merchant: Client, wallet_id: string, amount: string): Promise<Transaction> {
  return dataOf(merchant.post<Transaction>('/sandbox/deposits', { wallet_id, amount }));
}

export async function balanceOf(merchant: Client, walletId: string): Promise<string> {
  return (await dataOf(merchant.get<Wallet>(`/wallets/${walletId}`))).balance;
}
