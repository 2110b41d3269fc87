import { deleteInBatches, retentionLoop } from './retention';

describe('deleteInBatches', () => {
  it('ends with the first batch that is not full', async () => {
    const deleteBatch = jest.fn().mockResolvedValueOnce(1_000).mockResolvedValueOnce(999);
    await deleteInBatches(deleteBatch);
    expect(deleteBatch.mock.calls).toEqual([[1_000], [1_000]]);
  });

  it('deletes 50 batches at most, the rest is left to the next time', async () => {
    const deleteBatch = jest.fn().mockResolvedValue(1_000);
    await deleteInBatches(deleteBatch);
    expect(deleteBatch).toHaveBeenCalledTimes(50);
  });

  it('ends between two batches when it is stopped', async () => {
    const stopping = new AbortController();
    const deleteBatch = jest.fn(() => {
      stopping.abort();
      return Promise.resolve(1_000);
    });
    await deleteInBatches(deleteBatch, stopping.signal);
    expect(deleteBatch).toHaveBeenCalledTimes(1);
  });
});

describe('retentionLoop', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('purges once a minute, also after a purge that failed', async () => {
    const purge = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue(undefined);
    const failed = jest.fn();
    const loop = retentionLoop(purge, failed);
    loop.start();
    await jest.advanceTimersByTimeAsync(59_999);
    expect(purge).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(failed).toHaveBeenCalledWith(new Error('away'));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(purge).toHaveBeenCalledTimes(2);
    await loop.stop();
  });

  it('purges as often as it is told, also after a purge that failed', async () => {
    const purge = jest.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue(undefined);
    const loop = retentionLoop(purge, () => undefined, 600_000);
    loop.start();
    await jest.advanceTimersByTimeAsync(599_999);
    expect(purge).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(600_001);
    expect(purge).toHaveBeenCalledTimes(2);
    await loop.stop();
  });
});
