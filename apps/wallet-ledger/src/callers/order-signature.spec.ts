import { createHash } from 'node:crypto';
import { PayoutOrder } from '@stablecoin/command-proofs/order';
import { isOrderSigned, orderHash } from '@stablecoin/command-proofs/order-signature';
import { SoftwareDevice } from '@stablecoin/testing/software-device';

const ORDER: PayoutOrder = {
  type: 'payout-order',
  merchant_id: '5b6f6a5e-6f0f-4a8e-8d60-6a2f3d0f0001',
  customer_id: null,
  mode: 'test',
  key_id: '5b6f6a5e-6f0f-4a8e-8d60-6a2f3d0f0002',
  signer_id: '5b6f6a5e-6f0f-4a8e-8d60-6a2f3d0f0003',
  command_id: '5b6f6a5e-6f0f-4a8e-8d60-6a2f3d0f0004',
  valid_until: '2026-12-08T01:03:00.000Z',
  currency: 'USDT',
  amount: '10.00000000',
  fee: '0.50000000',
  exchange_rate: '1489.55',
  recipient_currency: 'NGN',
  network: null,
  bank_code: '011',
  sealed_destination: 'h1.sealed',
  destination_hash: 'ab'.repeat(32),
};
const device = SoftwareDevice.at('https://console.example');

describe('an order', () => {
  it('is hashed as canonical text below a line that names what it is', () => {
    const sorted = Object.fromEntries(Object.entries(ORDER).sort(([a], [b]) => (a < b ? -1 : 1)));
    const expected = createHash('sha256')
      .update(`stablecoin-order/1\n${JSON.stringify(sorted)}`)
      .digest();
    expect(orderHash(ORDER)).toEqual(expected);
  });

  it('is signed by a device that has signed its hash', () => {
    expect(isOrderSigned({ ...ORDER, ...device.signs(orderHash(ORDER)) })).toBe(true);
  });

  it.each(Object.keys(ORDER))('has no signature once its %s is another', (term) => {
    const signed = device.signs(orderHash(ORDER));
    expect(isOrderSigned({ ...ORDER, [term]: 'another', ...signed })).toBe(false);
  });

  it('is not signed by a device that did not see its person', () => {
    expect(isOrderSigned({ ...ORDER, ...device.signs(orderHash(ORDER), { unverified: true }) })).toBe(false);
  });
});
