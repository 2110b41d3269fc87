import { addressKey, nameKey } from './screening-key';

const isSameName = (one: string, other: string): boolean => {
  const [key, otherKey] = [nameKey(one), nameKey(other)];
  return key !== undefined && otherKey !== undefined && key.equals(otherKey);
};

describe('a name', () => {
  it.each([
    ['accents', 'José Álvarez', 'jose alvarez'],
    ['accents as marks of their own', 'Jose\u0301 Alvarez', 'José Alvarez'],
    ['compatibility forms', 'Ａｄａ Ｏｂｉ', 'Ada Obi'],
    ['letters without a decomposition', 'Søren Łukasz Weiß Đorđević', 'SOREN LUKASZ WEISS DORDEVIC'],
    ['case', 'ADA OBI', 'Ada Obi'],
    ['apostrophes', 'Sinéad O’Connor', 'Sinead OConnor'],
    ['marks of abbreviation', 'Acme Co. Ltd.', 'ACME CO LTD'],
    ['hyphens', 'Abdul al-Rashid', 'Abdul al Rashid'],
    ['commas, and the order of words', 'Obi, Ada', 'Ada Obi'],
    ['further spaces', ' Ada\u00a0 Obi ', 'Ada Obi'],
    ['case of other scripts', 'ИВАНОВ Иван', 'Иван Иванов'],
  ])('matches whatever its %s', (_, one, other) => expect(isSameName(one, other)).toBe(true));

  it.each([
    ['a further word', 'Ada Obi', 'Ada Ngozi Obi'],
    ['a missing word', 'Ada Obi', 'Obi'],
    ['another spelling', 'Mohammed Ali', 'Muhammad Ali'],
    ['another script', 'Иван Иванов', 'Ivan Ivanov'],
    ['words that are parted elsewhere', 'Adao Bi', 'Ada Obi'],
    ['a word twice', 'Obi Obi', 'Obi'],
  ])('does not match with %s', (_, one, other) => expect(isSameName(one, other)).toBe(false));

  it('is none without a letter or a digit', () => {
    expect(nameKey('--- .')).toBeUndefined();
    expect(nameKey('')).toBeUndefined();
  });
});

describe('an address', () => {
  const ETHEREUM = '0xdAC17F958D2ee523a2206206994597C13D831ec7';

  it.each([
    ['of an EVM chain in any case', ETHEREUM, ETHEREUM.toLowerCase()],
    ['of an EVM chain in upper case', ETHEREUM, ETHEREUM.toUpperCase().replace('0X', '0x')],
    ['with spaces around it', ` ${ETHEREUM}\t`, ETHEREUM],
  ])('matches %s', (_, one, other) => expect(addressKey(one)).toEqual(addressKey(other)));

  it.each([
    ['of Tron in another case', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t'],
    [
      'of Solana in another case',
      'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
      'ePjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    ],
    ['with another digit', ETHEREUM, ETHEREUM.replace('dAC1', 'dAC2')],
  ])('does not match %s', (_, one, other) => expect(addressKey(one)).not.toEqual(addressKey(other)));

  it('is no name of the same text', () => expect(addressKey('ada')).not.toEqual(nameKey('ada')));
});
