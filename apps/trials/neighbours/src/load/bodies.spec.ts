import { giantArrays, giantNumbers, honestRegistration, unknownNames } from './bodies';

const MEGABYTE = 1_000_000;
const ROUTE_MAX = 15 * 1024 * 1024;

describe('bodies that cost more than they look', () => {
  it.each([
    ['empty arrays', giantArrays],
    ['numbers', giantNumbers],
    ['unknown names', () => unknownNames(1_250_000)],
    ['documents', () => honestRegistration()()],
  ])('%s: JSON, nearly as large as a route takes', (_, body) => {
    const text = body();
    expect(Buffer.byteLength(text)).toBeGreaterThan(12 * MEGABYTE);
    expect(Buffer.byteLength(text)).toBeLessThan(ROUTE_MAX);
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it('9,900 unknown names fit into 100 KB', () => {
    expect(Buffer.byteLength(unknownNames(9_900))).toBeLessThan(100 * 1024);
  });

  it('names are all different', () => {
    expect(Object.keys(JSON.parse(unknownNames(1_000)) as object)).toHaveLength(1_000);
  });
});
