import { upcast, Upcasters } from './upcast';

const today = { type: 'CustomerClosed', version: 1 };

describe('an event that was stored', () => {
  it('in the current version is read unchanged', () => {
    expect(upcast(today)).toBe(today);
  });

  it('by an older version is upcast step by step', () => {
    const steps: Upcasters = {
      WalletOpened: {
        [-1]: ({ index, ...event }) => ({ ...event, address_index: index }),
        0: (event) => ({ ...event, balance_after: '0.00000000' }),
      },
    };
    const stored = { type: 'WalletOpened', version: -1, wallet_id: 'w', currency: 'USD', index: 7 };
    expect(upcast(stored, steps)).toEqual({
      type: 'WalletOpened',
      version: 1,
      wallet_id: 'w',
      currency: 'USD',
      address_index: 7,
      balance_after: '0.00000000',
    });
    expect(stored.version).toBe(-1);
  });

  it.each([
    ['a newer version', { ...today, version: 2 }, /CustomerClosed version 2 cannot be read: .* knows 1/],
    ['a version with no step to the next', { ...today, version: 0 }, /CustomerClosed version 0 cannot be read/],
    ['no version', { type: 'CustomerClosed' }, /version undefined cannot be read/],
    ['a type that is not known', { type: 'toString', version: 1 }, /toString is an event that this version/],
  ])('by %s is not read', (_name, stored, problem) => {
    expect(() => upcast(stored as typeof today)).toThrow(problem);
  });
});
