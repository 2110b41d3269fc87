import { MerchantShare } from './merchant-share';

let share: MerchantShare;
let begun: string[];

beforeEach(() => {
  share = new MerchantShare(2);
  begun = [];
});

function enter(name: string, isTaken = true): void {
  share.enter((hasWaited) => {
    begun.push(hasWaited ? `${name} after waiting` : name);
    return isTaken;
  });
}

describe('the share of a merchant', () => {
  it('begins as many as may run, and the next in the order of arrival', () => {
    ['one', 'two', 'three', 'four'].forEach((name) => enter(name));
    expect(begun.splice(0)).toEqual(['one', 'two']);
    share.leave();
    expect(begun.splice(0)).toEqual(['three after waiting']);
    share.leave();
    expect(begun).toEqual(['four after waiting']);
  });

  it('goes on to the next where one is refused at its turn', () => {
    enter('one');
    enter('two');
    enter('gone', false);
    enter('three');
    share.leave();
    expect(begun).toEqual(['one', 'two', 'gone after waiting', 'three after waiting']);
    enter('four');
    expect(begun).not.toContain('four');
  });

  it('is full with 16 waiting for each that runs, and idle when the last has left', () => {
    for (let entered = 0; entered < 2 + 31; entered += 1) enter('one');
    expect([share.isFull, share.isIdle]).toEqual([false, false]);
    enter('one');
    expect(share.isFull).toBe(true);
    for (let left = 0; left < 2 + 32; left += 1) share.leave();
    expect([share.isFull, share.isIdle]).toEqual([false, true]);
  });
});
