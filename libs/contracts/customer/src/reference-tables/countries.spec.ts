import { COUNTRY_CODES, countryCode, countryName, isCountryCode } from './countries';

describe('countries', () => {
  it('are the 249 assigned ones, each with a name of its own', () => {
    expect(COUNTRY_CODES).toHaveLength(249);
    expect(new Set(COUNTRY_CODES.map(countryName)).size).toBe(249);
    expect(COUNTRY_CODES.filter((code) => !/^[A-Z]{2}$/.test(code))).toEqual([]);
  });

  it('come back from their names, in any case', () => {
    const names = COUNTRY_CODES.map((code) => countryName(code) ?? '');
    expect(names.map(countryCode)).toEqual(COUNTRY_CODES);
    expect(names.map((name) => countryCode(name.toUpperCase()))).toEqual(COUNTRY_CODES);
    expect(names.map((name) => countryCode(name.normalize('NFD')))).toEqual(COUNTRY_CODES);
  });

  it.each([
    ['NG', 'Nigeria'],
    ['US', 'United States of America'],
    ['GB', 'United Kingdom'],
    ['CI', "Cote d'Ivoire"],
    ['TR', 'Türkiye'],
    ['CN', 'China'],
    ['CV', 'Cabo Verde'],
    ['CZ', 'Czechia'],
    ['GM', 'Gambia'],
    ['IR', 'Iran'],
    ['MK', 'North Macedonia'],
    ['SS', 'South Sudan'],
  ])('%s is %s', (code, name) => {
    expect(isCountryCode(code)).toBe(true);
    expect(countryName(code)).toBe(name);
    expect(countryCode(name)).toBe(code);
  });

  it.each([
    ['USA', 'US'],
    ['Ivory Coast', 'CI'],
    ['Turkey', 'TR'],
    ["People's Republic of China", 'CN'],
  ])('%s also means %s', (name, code) => {
    expect(countryCode(name)).toBe(code);
  });

  it.each(['XK', 'EU', 'UK', 'AN', 'SU', 'ZZ', 'AA', '', 'ng', 'NGA', '566', ' NG', 'constructor', '__proto__'])(
    '%p is no assigned code',
    (text) => {
      expect(isCountryCode(text)).toBe(false);
      expect(countryName(text)).toBeUndefined();
    },
  );

  it.each(['', 'Kosovo', 'Atlantis', 'Congo', 'NG', 'US', 'UK', 'Nigeria ', 'constructor'])(
    '%p names no one country',
    (text) => {
      expect(countryCode(text)).toBeUndefined();
    },
  );

  it('are not looked for by a text that is longer than any name', () => {
    const normalize = jest.spyOn(String.prototype, 'normalize');
    expect(countryCode('x\u0316'.repeat(51))).toBeUndefined();
    expect(normalize).not.toHaveBeenCalled();
    normalize.mockRestore();
  });
});
