import { ATTACKS } from './attacks';
import type { Attacker } from './load/attacker-account';

const ATTACKER: Attacker = {
  ...{ apiKey: 'sk_test_a', readOnlyKey: 'sk_test_b', furtherKeys: ['sk_test_c'] },
  ...{ customerId: 'c', walletId: 'w', transactionId: 't', eventId: 'e' },
};

describe('the table of attacks', () => {
  it('names each once, as --only takes it', () => {
    const names = ATTACKS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it.each(ATTACKS.map((attack) => [attack.name, attack] as const))(
    '%s is said in a sentence, and can begin',
    (_, attack) => {
      expect(attack.what).toMatch(/^\S.*[^.\s]$/);
      expect(attack.load(ATTACKER)).toBeInstanceOf(Function);
    },
  );

  it('has, in the short form too, an attack of every kind that was seen to slow others', () => {
    const short = ATTACKS.filter(({ longOnly }) => !longOnly).map(({ name }) => name);
    expect(short).toEqual(
      expect.arrayContaining([
        ...['giant-arrays', 'giant-numbers', 'giant-names', 'unknown-fields-50', 'proofs', 'webhook-tests-100'],
        ...['declared-bodies', 'documents', 'half-open', 'hanging-webhooks', 'no-key', 'random-keys', 'swaps'],
      ]),
    );
  });
});
