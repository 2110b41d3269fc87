import { Drawing } from '@stablecoin/testing/drawing';
import { drawnLog, tamper } from '../testing/tampering';
import { firstFault, headOf } from '../testing/first-fault';

// npm run test:tampering runs it longer.
const CASES = Number(process.env['TAMPERING_CASES'] ?? '100');
const SEED = Number(process.env['TAMPERING_SEED'] ?? Date.now() % 100_000);

describe(`a log that was changed (${CASES} times, seed ${SEED})`, () => {
  const draw = new Drawing(SEED);
  const log = drawnLog(3, 90, draw).rows;

  it('was sound before', () => {
    expect(log.length).toBeGreaterThan(150);
    expect(firstFault(3, log, headOf(log))).toBeUndefined();
  });

  it('is found at the first bad position', () => {
    for (let index = 0; index < CASES; index += 1) {
      const { name, rows, first } = tamper(log, draw);
      const position = firstFault(3, rows, headOf(log))?.position ?? 0;
      const found = first[0] <= position && position <= first[1];
      expect(`${name}: ${found ? 'found' : `${position}, not ${first.join(' to ')}`}`).toBe(`${name}: found`);
    }
  });
});
