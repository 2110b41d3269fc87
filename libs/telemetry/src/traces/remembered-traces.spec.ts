import { RememberedTraces } from './remembered-traces';

describe('remembered traces', () => {
  it('are those of the last that were written, the oldest go', () => {
    const traces = new RememberedTraces<number>(2);
    [1, 2, 3].forEach((position) => traces.remember(position, `trace ${position}`));
    expect([1, 2, 3].map((position) => traces.of(position))).toEqual([undefined, 'trace 2', 'trace 3']);
  });

  it('never take one for another: a position that is decided anew forgets whose it was', () => {
    const traces = new RememberedTraces<number>();
    traces.remember(7, 'of a command that was not committed');
    traces.remember(7, undefined);
    expect(traces.of(7)).toBeUndefined();
  });
});
