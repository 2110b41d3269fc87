import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { FailingFacts } from './failing-facts';

const at = (position: number, shard = 0) => ({ shard, position }) as LedgerFact;

describe('facts that failed lately', () => {
  let now = 0;
  const failing = () => new FailingFacts(() => now);

  it('are counted one by one', () => {
    const facts = failing();
    expect([facts.failed(at(1), 'a'), facts.failed(at(2), 'b'), facts.failed(at(1), 'a')]).toEqual([1, 1, 2]);
    facts.settled(at(1));
    expect(facts.failed(at(1), 'a')).toBe(1);
  });

  it.each([
    ['a later one of the same', at(6), 'a', true],
    ['itself', at(5), 'a', false],
    ['an earlier one of the same', at(4), 'a', false],
    ['a later one of something else', at(6), 'b', false],
    ['one of another shard', at(6, 1), 'a', false],
  ])('have behind them: %s', (_which, fact, concerns, expected) => {
    const facts = failing();
    facts.failed(at(5), 'a');
    expect(facts.isBehindOne(fact, concerns)).toBe(expected);
    facts.settled(at(5));
    expect(facts.isBehindOne(fact, concerns)).toBe(false);
  });

  it('are forgotten when another instance may have settled them', () => {
    const facts = failing();
    facts.failed(at(5), 'a');
    now += 10_001;
    expect(facts.isBehindOne(at(6), 'a')).toBe(false);
    expect(facts.failed(at(5), 'a')).toBe(1);
  });
});
