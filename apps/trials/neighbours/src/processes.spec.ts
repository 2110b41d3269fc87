import { endedSince } from './processes';

const RUNNING = new Map([
  ['gateway', 1],
  ['postgres', 2],
]);

describe('processes that ended', () => {
  it.each([
    ['none', RUNNING, []],
    ['one that was started again under another id', new Map([...RUNNING, ['gateway', 3]]), ['gateway']],
    ['one that is gone', new Map([['gateway', 1]]), ['postgres']],
    ['none when another is there', new Map([...RUNNING, ['payout', 4]]), []],
  ])('%s', (_, now, ended) => {
    expect(endedSince(RUNNING, now)).toEqual(ended);
  });
});
