import { PayoutContent, payoutContentHash } from './payout-content';

const content: PayoutContent = {
  ...{ id: 'payout', merchant_id: 'merchant', customer_id: null, currency: 'USD', amount: '10.00000000' },
  ...{ network: null, bank_code: '058', recipient_currency: 'NGN', sealed_destination: 'v1.sealed' },
};

describe('the hash of what is going to be sent', () => {
  it('is the same for ever: an approval is compared with it later', () => {
    expect(payoutContentHash(content)).toBe('3d8275fbb2774b95eb22cdaf3701eaf468dc79bfd6eb2809eb493b278608afff');
  });

  it('is of the content alone, in whatever order, with whatever beside it', () => {
    const beside = { ...content, status: 'PENDING', attempts: 3 };
    const reversed = Object.fromEntries(Object.entries(beside).reverse()) as unknown as PayoutContent;
    expect(payoutContentHash(reversed)).toBe(payoutContentHash(content));
  });

  it.each(Object.keys(content) as (keyof PayoutContent)[])('is another one for another %s', (field) => {
    const other = { ...content, [field]: `${content[field]}1` };
    expect(payoutContentHash(other)).not.toBe(payoutContentHash(content));
  });
});
