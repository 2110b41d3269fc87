import { ACCOUNT_PURPOSES, EMPLOYMENT_STATUSES, SOURCES_OF_FUNDS } from './customer-enums';
import { codeFromReadableText, readableText } from './readable-text';

describe('readable text', () => {
  it.each([
    ['PERSONAL_OR_LIVING_EXPENSES', 'Personal or living expenses'],
    ['SELF_EMPLOYED', 'Self employed'],
    ['SALARY', 'Salary'],
    ['LIMITED_LIABILITY_COMPANY', 'Limited liability company'],
    ['', ''],
  ])('of %p is %p', (code, text) => {
    expect(readableText(code)).toBe(text);
  });

  it.each([
    ['account purposes', ACCOUNT_PURPOSES],
    ['sources of funds', SOURCES_OF_FUNDS],
    ['employment statuses', EMPLOYMENT_STATUSES],
  ])('of all %s leads back, as does the code', (_set, codes) => {
    expect(codes.map((code) => codeFromReadableText(codes, readableText(code)))).toEqual(codes);
    expect(codes.map((code) => codeFromReadableText(codes, code))).toEqual(codes);
  });

  it.each(['', 'salary', 'Salary ', 'SALARY ', 'Self employed', 'constructor'])('%p is no source of funds', (text) => {
    expect(codeFromReadableText(SOURCES_OF_FUNDS, text)).toBeUndefined();
  });
});
