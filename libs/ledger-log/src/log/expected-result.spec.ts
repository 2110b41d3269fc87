import { contradictedFields } from './expected-result';

const EXPECTED = '{"id":"a","fee":null,"under":{"at":1,"by":"me"},"list":[{"x":1,"y":2}]}';

describe('the fields in which a stored answer differs from the one that is expected', () => {
  it.each([
    ['none in the same text', EXPECTED, []],
    ['none in another order', '{"list":[{"y":2,"x":1}],"under":{"by":"me","at":1},"fee":null,"id":"a"}', []],
    ['none in other white space', EXPECTED.replace(',', ' , '), []],
    ['none that has no value and is left out', EXPECTED.replace('"fee":null,', ''), []],
    ['one that has a value and is left out', EXPECTED.replace('"id":"a",', ''), ['id']],
    ['one that is not expected', EXPECTED.replace('{', '{"more":null,'), ['more']],
    ['one of another value', EXPECTED.replace('"a"', '"b"'), ['id']],
    ['one within another', EXPECTED.replace('"me"', '"you"'), ['under.by']],
    ['one in a list', EXPECTED.replace('"y":2', '"y":3'), ['list']],
    [
      'one that stands twice, by its last value',
      EXPECTED.replace('{', '{"id":"a",').replace('"id":"a","fee"', '"id":"b","fee"'),
      ['id'],
    ],
    ['the whole of a list', '[]', ['the whole']],
    ['the whole of what is no JSON', `${EXPECTED}}`, ['the whole']],
  ])('%s', (_, stored, fields) => {
    expect(contradictedFields(stored, EXPECTED)).toEqual(fields);
  });
});
