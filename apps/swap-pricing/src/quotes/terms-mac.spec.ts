import { SwapPricingConfiguration } from '../swap-pricing.configuration';
import { QuoteRow } from './quote-row';
import { TermsMac } from './terms-mac';

const mac = new TermsMac({ commandKey: Buffer.alloc(32, 7) } as SwapPricingConfiguration);
const [id, merchant, customer] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-11111111111a`);
const promised = {
  ...{ id, merchant_id: merchant, customer_id: null, from_currency: 'USDT', to_currency: 'NGN' },
  ...{
    from_amount: '10',
    to_amount: '15345',
    quoted_price: '1534.5',
    expires_at: new Date('2026-11-28T12:00:00.123Z'),
  },
} as QuoteRow;
const row = { ...promised, from_amount: '10.00000000', to_amount: '15345.00000000', terms_mac: mac.of(promised) };

describe('the MAC of a quote', () => {
  it('fits the row that was made of the terms, however its amounts and ids are written', () => {
    expect(mac.fits(row)).toBe(true);
    expect(mac.fits({ ...row, id: row.id.toUpperCase() })).toBe(true);
  });

  it.each<Partial<QuoteRow>>([
    { id: customer },
    { merchant_id: customer },
    { customer_id: customer },
    { from_currency: 'USDC' },
    { to_currency: 'GHS' as never },
    { from_amount: '9.00000000' },
    { to_amount: '18261.00000000' },
    { quoted_price: '1826.055' },
    { expires_at: new Date('2999-01-01') },
    { terms_mac: null },
    { terms_mac: new TermsMac({ commandKey: Buffer.alloc(32, 8) } as SwapPricingConfiguration).of(promised) },
  ])('does not fit %j', (change) => {
    expect(mac.fits({ ...row, ...change })).toBe(false);
  });

  it('is not asked for while services of the version before may be at work', () => {
    expect(mac.fits({ ...row, terms_mac: null, may_lack_mac: true })).toBe(true);
  });
});
