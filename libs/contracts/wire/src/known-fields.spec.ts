import { Allow } from 'class-validator';
import { IsSomeOf } from './fields/choice';
import { Optional } from './fields/field';
import { IsNested, IsNestedList, IsNestedOneOf } from './fields/nested';
import { IsText } from './fields/text';
import { knownPart } from './known-fields';

class Inner {
  @IsText({ max: 5 }) city: string;
}

class Other {
  @IsText({ max: 5 }) street: string;
}

class Request {
  @IsText({ max: 5 }) text: string;
  @Optional() @IsNested(() => Inner) inner?: Inner;
  @Optional() @IsNestedList(() => Inner, 2) list?: Inner[];
  @Optional() @IsSomeOf(['A', 'B']) some?: string[];
  @Optional()
  @IsNestedOneOf(() => [Inner, Other], () => Inner)
  either?: Inner | Other;
  @Allow() ignored?: unknown;
}

class Child extends Request {
  @IsText({ max: 5 }) own: string;
}

describe('knownPart', () => {
  it.each<[string, object, object]>([
    ['values as they are', { text: 1, inner: { city: 'a' } }, { text: 1, inner: { city: 'a' } }],
    ['fields of a parent class', { own: 'a', text: 'b' }, { own: 'a', text: 'b' }],
    [
      'unknown fields without their values',
      { foo: { bar: [1] }, inner: { foo: 1 } },
      { foo: null, inner: { foo: null } },
    ],
    ['an object where a text belongs, empty', { text: { a: 1 } }, { text: {} }],
    ['a list where a text belongs, empty', { text: [1, [2]] }, { text: [] }],
    ['a list where an object belongs, empty', { inner: [{ city: 'a' }] }, { inner: [] }],
    ['what is taken and left alone, empty', { ignored: { a: { b: 1 } } }, { ignored: {} }],
    ['items of a list', { list: [{ city: 'a' }, 1, [2]] }, { list: [null, null, null] }],
    ['a list of the right length', { list: [{ city: 'a' }, [2]] }, { list: [{ city: 'a' }, []] }],
    ['a list of texts, its objects empty', { some: ['A', { a: 1 }] }, { some: ['A', {}] }],
    ['an object of one of two classes', { either: { city: 'a', street: 'b' } }, { either: { city: 'a', street: 'b' } }],
  ])('keeps %s', (_what, plain, expected) => {
    expect(knownPart(Child, plain)).toEqual(expected);
  });

  it('refuses names that every object has, wherever a class is read', () => {
    const plain = JSON.parse('{"__proto__":{},"foo":1,"inner":{"toString":1}}') as object;
    expect(() => knownPart(Child, plain)).toThrow(
      expect.objectContaining({
        fields: ['__proto__', 'inner.toString'].map((field) => expect.objectContaining({ field }) as unknown),
      }) as Error,
    );
  });
});
