import {
  isOccupationCode,
  occupationCodeFromText,
  OCCUPATION_CODES,
  OCCUPATIONS,
  occupationTitle,
} from './occupations';

describe('occupations', () => {
  it('are 375, each of six characters', () => {
    expect(OCCUPATION_CODES).toHaveLength(375);
    expect(OCCUPATION_CODES.filter((code) => !/^\d{4}(\d\d|\dX|XX)$/.test(code))).toEqual([]);
    expect(OCCUPATION_CODES.filter((code) => code.endsWith('X')).sort()).toEqual([
      '1320XX',
      '15124X',
      '17301X',
      '17302X',
      '19204X',
      '1940XX',
      '21109X',
      '2590XX',
      '27102X',
      '29203X',
      '29205X',
      '31113X',
      '31909X',
      '37201X',
      '37301X',
      '3930XX',
      '3940XX',
      '4750XX',
      '49209X',
      '49904X',
      '49909X',
      '5120XX',
      '5370XX',
    ]);
  });

  it('have a title each, and no two the same', () => {
    const titles = Object.values(OCCUPATIONS);
    expect(new Set(titles).size).toBe(375);
    expect(titles.filter((title) => !/^[A-Z][A-Za-z,/ -]+[a-z]$/.test(title))).toEqual([]);
  });

  it.each([
    ['111011', 'Chief executives'],
    ['132011', 'Accountants and auditors'],
    ['15124X', 'Database administrators and architects'],
    ['29203X', 'Nuclear medicine technologists and medical dosimetrists'],
    ['5370XX', 'Conveyor, dredge, and hoist and winch operators'],
    ['49904X', 'Industrial and refractory machinery mechanics'],
    ['1940XX', 'Other life, physical, and social science technicians'],
    ['554010', 'Military, rank not specified'],
  ] as const)('%s is %s, in both directions', (code, title) => {
    expect(isOccupationCode(code)).toBe(true);
    expect(occupationTitle(code)).toBe(title);
    expect(occupationCodeFromText(title)).toBe(code);
    expect(occupationCodeFromText(code)).toBe(code);
  });

  it('come back from their titles, every one', () => {
    expect(OCCUPATION_CODES.map((code) => occupationCodeFromText(occupationTitle(code)))).toEqual(OCCUPATION_CODES);
  });

  it.each(['', '15-1252', '151252', '15124x', '5370YY', ' 111011', 'chief executives', 'Astronauts', 'constructor'])(
    '%p is none',
    (text) => {
      expect(isOccupationCode(text)).toBe(false);
      expect(occupationCodeFromText(text)).toBeUndefined();
    },
  );
});
