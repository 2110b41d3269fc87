import { randomUUID } from 'node:crypto';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { PayoutOrder } from '@stablecoin/command-proofs/order';
import { orderHash } from '@stablecoin/command-proofs/order-signature';
import { HoldPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { SoftwareDevice } from '@stablecoin/testing/software-device';
import { LedgerDatabases } from '../databases/ledger-databases';
import type { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { CommandEvidence } from './command-evidence';

const payout = new CallerSecret('payout', Buffer.alloc(32, 1));
const ids = { merchant_id: randomUUID(), command_id: randomUUID(), input_hash: 'hash' };

describe('evidence of a payout that a person ordered', () => {
  const backoffice = new CallerSecret('backoffice', Buffer.alloc(32, 2));
  const device = SoftwareDevice.at('https://console.example');
  const signer = { key_id: randomUUID(), signer_id: randomUUID() };
  const { merchant_id, command_id } = ids;
  const request: HoldPayout = {
    ...{ ...ids, currency: 'USDT', amount: '10', rail: 'bank', sealed_destination: 'h1.sealed', bank_code: '011' },
    ...{ recipient_currency: 'NGN', exchange_rate: '1489.55', fee_schedule: { flat: '0.5', basis_points: 0 } },
    ...{ key_mode: 'test', signer, destination_hash: 'ab'.repeat(32) },
  };
  const order: PayoutOrder = {
    ...{ type: 'payout-order', merchant_id, customer_id: null, mode: 'test', ...signer, command_id },
    valid_until: new Date(Date.now() + 60_000).toISOString(),
    ...{ currency: 'USDT', amount: '10.00000000', fee: '0.50000000', exchange_rate: '1489.55' },
    ...{ recipient_currency: 'NGN', network: null, bank_code: '011' },
    ...{ sealed_destination: 'h1.sealed', destination_hash: 'ab'.repeat(32) },
  };

  /** @returns 'taken' or the refusal's code */
  function judged(
    asked: Partial<HoldPayout>,
    said: PayoutOrder | undefined = order,
    { service = 'backoffice', secret = backoffice, signed = said, acceptsUnsigned = false } = {},
  ): string {
    const commandEvidenceKeys = new Map([['backoffice', [backoffice.evidenceKey]]]);
    const settings = { commandEvidenceKeys, commandsAcceptedUnsigned: acceptsUnsigned };
    const judge = new CommandEvidence(
      settings as unknown as WalletLedgerConfiguration,
      LedgerDatabases.only({} as LedgerReads),
    );
    const evidence = said && signed && signEvidence(secret, { ...said, ...device.signs(orderHash(signed)) });
    const caller = { service, ...(evidence && { evidence }) };
    try {
      withRequestContext({ ...freshRequestContext(command_id), caller }, () =>
        judge.ofPayout({ ...request, ...asked }),
      );
      return 'taken';
    } catch (error) {
      return (error as Refusal).code;
    }
  }

  it('is all of its terms, signed by a passkey of the person', () => {
    expect(judged({})).toBe('taken');
    const toAddress = { rail: 'wallet', network: 'trc20', bank_code: null, recipient_currency: 'USD' } as const;
    const addressed: PayoutOrder = { ...order, recipient_currency: null, network: 'trc20', bank_code: null };
    expect(judged(toAddress, addressed)).toBe('taken');
  });

  it("is not asked of a merchant's key", () => {
    const request = { ...freshRequestContext(command_id), caller: { service: 'gateway' } };
    const judge = new CommandEvidence({} as WalletLedgerConfiguration, LedgerDatabases.only({} as LedgerReads));
    expect(() => withRequestContext(request, () => judge.ofPayout({ ...ids } as HoldPayout))).not.toThrow();
  });

  it.each<[string, Partial<HoldPayout>]>([
    ['another merchant', { merchant_id: randomUUID() }],
    ['another customer', { customer_id: randomUUID() }],
    ['another mode', { key_mode: 'live' }],
    ['no mode', { key_mode: undefined }],
    ['another person', { signer: { ...signer, signer_id: randomUUID() } }],
    ['another member', { signer: { ...signer, key_id: randomUUID() } }],
    ['no person', { signer: undefined }],
    ['another command', { command_id: randomUUID() }],
    ['another currency', { currency: 'USDC' }],
    ['another amount', { amount: '10.5' }],
    ['no fee', { fee_schedule: null }],
    ['another fee', { fee_schedule: { flat: '0.4', basis_points: 0 } }],
    ['another price', { exchange_rate: '1500' }],
    ['another currency of the recipient', { recipient_currency: 'GBP' }],
    ['a network', { network: 'trc20' }],
    ['another bank', { bank_code: '999' }],
    ['another destination', { sealed_destination: 'h1.another' }],
    ['a destination known by another hash', { destination_hash: 'cd'.repeat(32) }],
    ['a destination known by no hash', { destination_hash: undefined }],
    ['a bank in clear', { bank_name: 'First Bank' }],
    ['a country in clear', { recipient_country: 'Nigeria' }],
  ])('is refused for %s', (_name, asked) => expect(judged(asked)).toBe('unavailable'));

  it('is refused where the passkey has signed another order, or it is over', () => {
    expect(judged({}, order, { signed: { ...order, amount: '1.00000000' } })).toBe('unavailable');
    expect(judged({}, { ...order, valid_until: new Date(Date.now() - 11_000).toISOString() })).toBe('unavailable');
  });

  it("is refused where another service's key has signed it", () => {
    expect(judged({}, order, { secret: payout })).toBe('unavailable');
  });
});

describe('a payout of the backoffice without what a person has signed', () => {
  it.each([false, true])('is refused, commands of versions before taken or not: %p', (commandsAcceptedUnsigned) => {
    const judge = new CommandEvidence(
      { commandsAcceptedUnsigned } as unknown as WalletLedgerConfiguration,
      LedgerDatabases.only({} as LedgerReads),
    );
    const context = { ...freshRequestContext(ids.command_id), caller: { service: 'backoffice' } };
    const asked = { ...ids, currency: 'USDT', amount: '10' } as HoldPayout;
    expect(() => withRequestContext(context, () => judge.ofPayout(asked))).toThrow(Refusal);
  });
});
