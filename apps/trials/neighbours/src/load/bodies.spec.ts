import {
  FORM_BOUNDARY,
  giantArrays,
  giantNumbers,
  honestRegistration,
  largestBusiness,
  nearlyBounded,
  smallestForm,
  unknownNames,
} from './bodies';

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

  it('a business fits into 100 KB, nearly', () => {
    const bytes = Buffer.byteLength(JSON.stringify(largestBusiness()));
    expect(bytes).toBeGreaterThan(60 * 1024);
    expect(bytes).toBeLessThan(100 * 1024);
  });

  it.each([
    ['nearly bounded', () => nearlyBounded(50_000), 50_000],
    ['smallest', smallestForm, 5],
  ])('the %s form has one file', (_, form, bytesMax) => {
    const text = form();
    const [before, file, after] = text.split(new RegExp(`(?:^|\\r\\n)--${FORM_BOUNDARY}(?=--|\\r\\n)`));
    expect([before, after]).toEqual(['', '--\r\n']);
    expect(file).toContain('%PDF-');
    expect(Buffer.byteLength(text)).toBeLessThan(bytesMax + 500);
  });
});
