import { Progress, progressLine } from './progress';

describe('progress', () => {
  it('shows rate and time left', () => {
    expect(progressLine(250_000, 1_000_000, 10_000)).toBe('250,000 of 1,000,000 events, 25,000/s, 30 s left');
    expect(progressLine(0, 10, 0)).toBe('0 of 10 events, 0/s, time left unknown');
  });

  it('is silent in the first second, unless at a terminal', () => {
    const written: string[] = [];
    const stream = (isTTY: boolean) =>
      ({ isTTY, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream;
    new Progress(10, stream(false)).add(5);
    expect(written).toEqual([]);
    new Progress(10, stream(true)).add(5);
    expect(written).toHaveLength(1);
  });

  it('says what comes after what is counted, to whom it has said something before', () => {
    const written: string[] = [];
    const stream = (isTTY: boolean) =>
      ({ isTTY, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream;
    new Progress(10, stream(false)).say('tables');
    expect(written).toEqual([]);
    new Progress(10, stream(true)).say('tables');
    expect(written).toEqual(['\r\u001b[2Ktables']);
  });
});
