import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BodyShares } from './body-shares';

const MIB = 1024 * 1024;
const LARGE = 14 * MIB;

describe('what bodies with documents hold', () => {
  it('is reserved of a merchant’s own share: of eight large bodies at once the first has room until it is answered', () => {
    const shares = new BodyShares();
    const first = shares.open('a', LARGE);
    for (let body = 2; body <= 8; body += 1) expect(() => shares.open('a', LARGE)).toThrow(Refusal);
    first.take(LARGE);
    first.close();
    expect(() => shares.open('a', LARGE)).not.toThrow();
  });

  it('takes nothing from other merchants until it has arrived', () => {
    const shares = new BodyShares();
    for (let merchant = 0; merchant < 64; merchant += 1) shares.open(`idle ${merchant}`, LARGE);
    const arriving = Array.from({ length: 7 }, (_, merchant) => shares.open(`m${merchant}`, LARGE));
    const [last, ...others] = arriving;
    for (const share of others) share.take(LARGE);
    expect(() => last?.take(LARGE)).toThrow(Refusal);
    others[0]?.give(LARGE);
    expect(() => last?.take(LARGE)).not.toThrow();
  });

  it('has several smaller bodies of one merchant at once', () => {
    const shares = new BodyShares();
    for (let body = 0; body < 16; body += 1) shares.open('a', MIB);
    expect(() => shares.open('a', MIB)).toThrow(Refusal);
  });
});
