import { OFFERS, offersOf } from './offers';

describe('what a page offers', () => {
  it('is what it names', () => {
    expect([...offersOf(OFFERS.join(' '))]).toEqual(OFFERS);
    expect([...offersOf('  members ')]).toEqual(['members']);
    expect([...offersOf('')]).toEqual([]);
  });

  it('is nothing that the console does not have', () => expect(() => offersOf('members wallet')).toThrow('wallet'));
});
