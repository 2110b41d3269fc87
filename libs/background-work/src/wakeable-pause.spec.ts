import { WakeablePause } from './wakeable-pause';

const AN_HOUR_MS = 3_600_000;

describe('a pause', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function begun(pause: WakeablePause) {
    const state = { over: false };
    void pause.atMost(AN_HOUR_MS).then(() => (state.over = true));
    return state;
  }

  it('ends by itself', async () => {
    const state = begun(new WakeablePause());
    await jest.advanceTimersByTimeAsync(AN_HOUR_MS - 1);
    expect(state.over).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    expect(state.over).toBe(true);
  });

  it.each(['before', 'while'] as const)(
    'ends at once when woken %s it lasts, and the next one does not',
    async (when) => {
      const pause = new WakeablePause();
      if (when === 'before') pause.wake();
      const state = begun(pause);
      if (when === 'while') pause.wake();
      await jest.advanceTimersByTimeAsync(0);
      expect([state.over, jest.getTimerCount()]).toEqual([true, 0]);
      const next = begun(pause);
      await jest.advanceTimersByTimeAsync(AN_HOUR_MS - 1);
      expect(next.over).toBe(false);
    },
  );
});
