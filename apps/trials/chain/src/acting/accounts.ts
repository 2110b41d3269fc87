/** Wallets, opened at the ledger over the bus as the gateway does it, and known to the chain service. */
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { eventually } from '@stablecoin/testing/eventually';
import { createMerchant } from '@stablecoin/testing/operator-command';
import type { Ground } from '../ground/ground';
import type { TrialWallet } from '../oracle/deposits';

const CURRENCIES = ['USDT', 'USDC'] as const;
/** The ledger of a trial has one. */
export const THE_SHARD = 0;
const TIMEOUT_MS = 30_000;

export interface Accounts {
  merchants: readonly string[];
  wallets: readonly TrialWallet[];
}

type Parts = Pick<Ground, 'bus' | 'network' | 'databases'>;

/**
 * The wallets of a schedule: each of a merchant of its own, as one has a single one of a currency. The customer service knows the
 * merchants: it screens who sends them something.
 */
export async function openAccounts(parts: Parts & Pick<Ground, 'commandLine'>, count: number): Promise<Accounts> {
  const created = Array.from({ length: count }, () => createMerchant('Trial', parts.commandLine));
  const merchants = (await Promise.all(created)).map(({ merchant_id }) => merchant_id);
  const terms = merchants.map((merchant_id, index) => ({
    merchant_id,
    currency: CURRENCIES[index % CURRENCIES.length] ?? 'USDT',
  }));
  return { merchants, wallets: await openWallets(parts, terms) };
}

export async function openWallets(
  { bus, network, databases }: Parts,
  wanted: readonly { merchant_id: string; currency: TrialWallet['currency'] }[],
): Promise<TrialWallet[]> {
  const wallets = await Promise.all(
    wanted.map(async ({ merchant_id, currency }): Promise<TrialWallet> => {
      const terms = { merchant_id, currency, network };
      const command = derivedCommand(`trial-wallet:${merchant_id}:${currency}`, terms);
      const { result } = await eventually(
        'a wallet is opened',
        () => bus.call(openWallet, { ...terms, ...command }, { shard: THE_SHARD }),
        { timeoutMs: TIMEOUT_MS },
      );
      const address = result.addresses.find((each) => each.network === network)?.address;
      if (address === undefined) throw new Error(`the wallet ${result.id} has no address on ${network}`);
      return { id: result.id, currency, address: address.toLowerCase() };
    }),
  );
  const addresses = wallets.map(({ address }) => Buffer.from(address.slice(2), 'hex'));
  await eventually(
    'the wallets are known to the chain service',
    async () => {
      const known = await databases.read(
        'chain',
        'SELECT 1 FROM deposit_addresses JOIN wallets ON wallets.id = wallet_id WHERE address = ANY ($1) AND network = $2',
        [addresses, network],
      );
      return known.length === wallets.length;
    },
    { timeoutMs: TIMEOUT_MS },
  );
  return wallets;
}
