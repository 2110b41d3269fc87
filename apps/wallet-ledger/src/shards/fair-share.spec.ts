import fc from 'fast-check';
import { fairShare, Member } from './fair-share';

const members = (held: Record<string, number>): Member[] =>
  Object.entries(held).map(([instance, count]) => ({ instance, held: count }));
const shares = (shards: number, of: readonly Member[]) => of.map(({ instance }) => fairShare(shards, of, instance));

describe('the fair share of the shards', () => {
  it.each<[string, number, Record<string, number>, number[]]>([
    ['alone: all', 4, { a: 0 }, [4]],
    ['a second one: half each', 4, { a: 4, b: 0 }, [2, 2]],
    ['a third one: one more for the one that holds most', 4, { a: 2, b: 2, c: 0 }, [2, 1, 1]],
    ['the one that holds more keeps it', 4, { a: 1, b: 2, c: 1 }, [1, 2, 1]],
    ['more instances than shards: none for the last', 2, { a: 1, b: 1, c: 0 }, [1, 1, 0]],
  ])('%s', (_name, shards, held, expected) => {
    expect(shares(shards, members(held))).toEqual(expected);
  });

  it('gives what is left over to whom the names say, so that not one instance gets it of every database', () => {
    const equals = members({ a: 0, b: 0 });
    expect(fairShare(1, equals, 'a')).toBe(1);
    const reversed = (name: string) => (name === 'a' ? 'z' : name);
    expect(['a', 'b'].map((instance) => fairShare(1, equals, instance, reversed))).toEqual([0, 1]);
  });

  it('is nothing for an instance that is not a member', () => {
    expect(fairShare(4, members({ a: 4 }), 'b')).toBe(0);
  });

  it('sums to all shards, differs by one at most between instances, and stays once reached', () => {
    const counts = fc.array(fc.nat(20), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 64 }), counts, (shards, held) => {
        const first = held.map((count, index) => ({ instance: `i${index}`, held: count }));
        const reached = shares(shards, first);
        expect(reached.reduce((sum, share) => sum + share, 0)).toBe(shards);
        expect(Math.max(...reached) - Math.min(...reached)).toBeLessThanOrEqual(1);
        const settled = first.map((member, index) => ({ ...member, held: reached[index] ?? 0 }));
        expect(shares(shards, settled)).toEqual(reached);
      }),
    );
  });
});
