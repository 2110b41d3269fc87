/** What each way needs before anything is measured. */
import { dataOf, type MerchantClient, successOf } from '@stablecoin/testing/merchant-client';
import { individual } from '@stablecoin/testing/person';
import { openAccount } from '../request-kinds';
import { type Account, LISTED } from './operation-kinds';

const CALLERS = 32;

/** The merchant's own wallets with money in them, and two customers with a wallet each. */
export async function openAccounts(service: MerchantClient): Promise<Account> {
  await openAccount(service);
  const [deposited, listed] = [await openCustomer(service), await openCustomer(service)];
  return { ...deposited, listedWalletId: listed.walletId, listedCustomerId: listed.customerId };
}

async function openCustomer(service: MerchantClient): Promise<{ walletId: string; customerId: string }> {
  const { id: customerId } = await dataOf(service.post<{ id: string }>('/individual-customers', individual()));
  const wallet = { currency: 'USDT', network: 'erc20', customer_id: customerId };
  const { id: walletId } = await dataOf(service.post<{ id: string }>('/wallets', wallet));
  return { walletId, customerId };
}

/** Gives the listed customer its transactions; they warm deposits up. */
export async function makeListed(service: MerchantClient, { listedWalletId }: Account): Promise<void> {
  const deposit = () => successOf(service.post('/sandbox/deposits', { wallet_id: listedWalletId, amount: '1' }));
  await times(LISTED, deposit);
}

/** So many in all, some side by side. */
export async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const one = async () => {
    for (; left > 0;) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, one));
}
