import { DataKeyUnreadable, MasterKeys } from './master-keys';
import { unwrapDataKey, wrapDataKey } from './data-key';

const [before, now, other] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const dataKey = Buffer.alloc(32, 9);
const OWNER = 'owner-1';
const keys = new MasterKeys(now, before);

describe('master keys', () => {
  it('wrap with the current one only', () => {
    expect(unwrapDataKey(now, keys.wrap(dataKey, OWNER), OWNER)).toEqual(dataKey);
  });

  it.each([
    ['the current one', now],
    ['the previous one', before],
  ])('open what is wrapped with %s', (_which, masterKey) => {
    expect(keys.unwrap(wrapDataKey(masterKey, dataKey, OWNER), OWNER)).toEqual(dataKey);
  });

  it('rewrap keys that are under the previous one, and leave the others alone', () => {
    const again = keys.rewrap(wrapDataKey(before, dataKey, OWNER), OWNER) as string;
    expect(unwrapDataKey(now, again, OWNER)).toEqual(dataKey);
    expect(keys.rewrap(again, OWNER)).toBeUndefined();
  });

  it.each([
    ['a key that is not at hand', wrapDataKey(other, dataKey, OWNER), keys],
    ['a previous key that was dropped too early', wrapDataKey(before, dataKey, OWNER), new MasterKeys(now)],
    ['another owner', wrapDataKey(now, dataKey, 'owner-2'), keys],
    ['what is no wrapped key', 'v1.x', keys],
  ])('open nothing under %s, and say what to do', (_case, wrapped, atHand) => {
    for (const work of [() => atHand.unwrap(wrapped, OWNER), () => atHand.rewrap(wrapped, OWNER)]) {
      expect(work).toThrow(DataKeyUnreadable);
      expect(work).toThrow(/PERSONAL_DATA_PREVIOUS_KEY until the operator command rewrap-keys/);
    }
  });

  it('of another length are a bug, not unreadable data', () => {
    const wrapped = wrapDataKey(now, dataKey, OWNER);
    expect(() => new MasterKeys(Buffer.alloc(31), now).unwrap(wrapped, OWNER)).toThrow('A key has 32 bytes');
  });
});
