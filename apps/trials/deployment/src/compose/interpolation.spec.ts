import { interpolated, replaced } from './interpolation';

const VARIABLES = { NAME: 'value', EMPTY: '' };

describe('variables of a compose file', () => {
  it.each([
    ['$NAME-${NAME}', 'value-value'],
    ['${NONE:-other}${EMPTY:-other}${EMPTY-other}', 'otherother'],
    ['${NONE:-${NAME:-x}}', 'value'],
    ['${NAME:+there}${NONE:+there}${EMPTY+there}', 'therethere'],
    ['$$NAME ${NONE}', '$NAME '],
    ['${NAME?why}', 'value'],
  ])('%s becomes "%s"', (text, wanted) => expect(replaced(text, VARIABLES)).toBe(wanted));

  it.each([
    ['${EMPTY:?give it}', /here: required variable EMPTY .* give it/],
    ['${NAME', /isn't closed/],
    ['100 $', /begins no variable/],
    ['${NAME!x}', /no variable that compose knows/],
  ])('%s is refused', (text, why) => expect(() => replaced(text, VARIABLES, 'here')).toThrow(why));

  it('are replaced in values at every depth, but not in keys', () =>
    expect(interpolated({ $NAME: ['$NAME', 3, null] }, VARIABLES)).toEqual({ $NAME: ['value', 3, null] }));
});
