import { randomUUID } from 'node:crypto';
import { OpenedField, openSealed } from '@stablecoin/contracts/customer/open-sealed';
import { getWallet } from '@stablecoin/contracts/wallet/get-wallet';
import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { listTransactions } from '@stablecoin/contracts/wallet/list-transactions';
import { listWallets } from '@stablecoin/contracts/wallet/list-wallets';
import { openWallet } from '@stablecoin/contracts/wallet/open-wallet';
import {
  DEPOSIT_REFERENCE_FIELD,
  PAYOUT_DESTINATION_FIELD,
  TransactionView,
  WALLET_DESCRIPTION_FIELD,
  WalletView,
} from '@stablecoin/contracts/wallet/views';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { sealText } from '@stablecoin/personal-data/sealed-text';
import {
  call,
  held,
  MERCHANT,
  ownerOf,
  owners,
  sealOf,
  standIns,
  useGateway,
  wallet,
} from '../../testing/gateway-fixture';

useGateway();

const customer = randomUUID();
const erased = randomUUID();
owners.set(customer, ownerOf(customer, customer));

const sealedFor = (owner: string, field: OpenedField, text: string) => sealText(sealOf(owner), field, text);
const data = ({ body }: { body: Record<string, unknown> }) => body['data'] as Record<string, unknown>[];

describe('the description of a wallet', () => {
  const walletOf = (description: string | null, customer_id: string | null = null): WalletView => ({
    ...wallet,
    ...{ customer_id, description },
  });

  it('reaches the ledger sealed, and is shown', async () => {
    for (const [owner, customer_id] of [
      [MERCHANT, undefined],
      [customer, customer],
    ] as const) {
      standIns.on(openWallet, ({ description = null }) => ({
        result: walletOf(description, customer_id),
        replayed: false,
      }));
      const { body } = await call('POST', '/api/wallets', { currency: 'NGN', customer_id, description: 'For Ada' });
      expect(body.data).toMatchObject({ description: 'For Ada' });
      const { description } = standIns.requestsTo(openWallet).at(-1) as { description: string };
      expect(description).toMatch(/^sealed:h1\.[\w-]+\.[\w-]+$/);
      expect(sealOf(owner).open(WALLET_DESCRIPTION_FIELD, description.slice('sealed:'.length))).toBe('For Ada');
    }
  });

  it('of 255 characters of any kind has room on the bus', async () => {
    const { status } = await call('POST', '/api/wallets', { currency: 'NGN', description: '😀'.repeat(255) });
    expect(status).toBe(200);
  });

  it('that looks sealed is sealed as what it is', async () => {
    const forged = sealedFor(customer, WALLET_DESCRIPTION_FIELD, 'of another owner');
    standIns.on(openWallet, ({ description = null }) => ({ result: walletOf(description), replayed: false }));
    const { body } = await call('POST', '/api/wallets', { currency: 'NGN', description: forged });
    expect(body.data).toMatchObject({ description: forged });
  });

  it('is opened for a page at once, in clear where a version before wrote it, and empty once its owner was erased', async () => {
    const items = [
      walletOf(sealedFor(MERCHANT, WALLET_DESCRIPTION_FIELD, 'ours')),
      walletOf('in clear'),
      walletOf(null),
      walletOf(sealedFor(erased, WALLET_DESCRIPTION_FIELD, 'theirs'), erased),
      walletOf(sealedFor(customer, WALLET_DESCRIPTION_FIELD, 'a customer’s'), customer),
    ];
    standIns.on(listWallets, () => ({ items, total: items.length, page: 1, limit: 20 }));
    const shown = data(await call('GET', '/api/wallets')).map(({ description }) => description);
    expect(shown).toEqual(['ours', 'in clear', '', '', 'a customer’s']);
    expect(standIns.requestsTo(openSealed)).toHaveLength(1);
    standIns.on(getWallet, () => items[3] as WalletView);
    expect((await call('GET', `/api/wallets/${wallet.id}`)).body.data).toMatchObject({ description: '' });
  });
});

describe('the texts of a transaction', () => {
  const payout = (owner: string, more: Partial<TransactionView>): TransactionView => ({
    ...held({ merchant_id: MERCHANT, customer_id: owner === MERCHANT ? null : owner } as Plain<HoldPayout>),
    ...{ bank_code: '058', ...more },
  });
  const deposit = (owner: string, reason: string | null) => payout(owner, { reason, sealed_destination: null });
  const BANK = { bank_name: 'First Bank', recipient_country: 'Nigeria' };
  const destination = (owner: string, more: object) =>
    sealOf(owner).seal(PAYOUT_DESTINATION_FIELD, {
      ...{ kind: 'bank', account_number: '0123456789', recipient_name: 'Ada Obi', ...more },
    });
  async function listed(...items: TransactionView[]) {
    standIns.on(listTransactions, () => ({ items, total: items.length, page: 1, limit: 10 }));
    return data(await call('GET', '/api/transactions'));
  }

  it('of a bank reach the ledger within the destination, and are shown', async () => {
    const terms = { currency: 'USDT', amount: '10', account_number: '0123456789', bank_code: '058' };
    const body = { ...terms, recipient_name: 'Ada Obi', recipient_currency: 'NGN', ...BANK };
    expect((await call('POST', '/api/payouts/banks', body)).body.data).toMatchObject({ ...BANK, bank_code: '058' });
    const request = JSON.stringify(standIns.requestsTo(holdPayout));
    expect(request).not.toMatch(/First|Nigeria/);
    expect(request).toContain('058');
  });

  it('are shown as a version before wrote them, but not once the owner was erased', async () => {
    const older = (owner: string) => payout(owner, { ...BANK, sealed_destination: destination(owner, {}) });
    const sealed = payout(erased, { sealed_destination: destination(erased, BANK) });
    expect(await listed(older(MERCHANT), older(erased), sealed)).toEqual([
      expect.objectContaining({ ...BANK, bank_account: '0123456789' }),
      expect.objectContaining({ bank_name: null, recipient_country: null, bank_account: null, bank_code: '058' }),
      expect.objectContaining({ bank_name: null, recipient_country: null, bank_account: null }),
    ]);
  });

  it('that a sender wrote are opened with the destinations of a page', async () => {
    const shown = await listed(
      deposit(MERCHANT, sealedFor(MERCHANT, DEPOSIT_REFERENCE_FIELD, 'rent of Ada')),
      deposit(erased, sealedFor(erased, DEPOSIT_REFERENCE_FIELD, 'rent of Bea')),
      deposit(MERCHANT, 'in clear'),
      deposit(MERCHANT, null),
    );
    expect(shown.map(({ reason }) => reason)).toEqual(['rent of Ada', null, 'in clear', null]);
  });
});
