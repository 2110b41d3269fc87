import { choiceIn, numberIn, pageIn, textIn, UUID_FIELD, uuidIn } from './search';

const ID = '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80';

describe('what an address holds', () => {
  it.each([
    [ID, ID],
    [ID.toUpperCase(), ID],
    [`${ID}0`, undefined],
    [ID.replaceAll('-', ''), undefined],
    [7, undefined],
    [[ID], undefined],
  ])('of %p the id is %p', (value, id) => expect(uuidIn(value)).toBe(id));

  it.each([
    ['2', { page: 2 }],
    [2, { page: 2 }],
    ['999999999', { page: 999_999_999 }],
    ['1', {}],
    ['0', {}],
    ['-1', {}],
    ['02', {}],
    ['1e3', {}],
    ['2.5', {}],
    ['1000000000', {}],
    [['2'], {}],
    [undefined, {}],
  ])('of %p the page is %p', (page, search) => expect(pageIn({ page })).toEqual(search));

  it('a shard may be 0', () => expect(numberIn('0')).toBe(0));

  it('a choice is one of those that there are', () => {
    expect(choiceIn(['open', 'closed'], 'closed')).toBe('closed');
    expect(choiceIn([7, 30], '30')).toBe(30);
    expect([choiceIn(['open'], ['open']), choiceIn(['open'], 'other'), choiceIn(['open'], undefined)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('a text is without spaces around it, and no longer than it may be', () => {
    expect([textIn('  a b ', 9), textIn('abc', 2), textIn('  ', 9), textIn(7, 9)]).toEqual([
      ...['a b', 'ab', undefined, undefined],
    ]);
  });
});

it('a field takes what an address takes', () => {
  const pattern = new RegExp(`^(?:${UUID_FIELD.pattern})$`, 'v');
  expect([ID, ID.toUpperCase(), `${ID}0`, 'wallet'].map((text) => pattern.test(text))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
