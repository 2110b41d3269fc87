import { referenceName, Schema } from './openapi-document';
import { SdkField, SdkType, TypeNode } from './sdk-model';
import { NAMED_CHOICES, typeNameOf } from './type-names';

/** How the document writes the pattern of every amount that is sent; amounts in answers always have their 8 decimals. */
const SENT_AMOUNT = /^\^\(0\|\[1-9\]\\d\{0,\d+\}\)\(\\\.\\d\{1,\d+\}\)\?\$$/;
/** `[Uu][Ss][Dd]|[Ee][Uu][Rr]`: the document's way to say that letters may come in any case. */
const CHOICES_IN_ANY_CASE = /^\^\(((?:\[[A-Z][a-z]\]|\|)+)\)\$$/;

/** Turns the document's schemas into types. */
export class TypeReader {
  private readonly choiceNames = new Map<string, string>();

  constructor(private readonly schemas: Readonly<Record<string, Schema>>) {
    for (const [name, place] of Object.entries(NAMED_CHOICES)) this.choiceNames.set(keyOf(this.choicesAt(place)), name);
  }

  /** The choices that have a name, and every schema. */
  namedTypes(): SdkType[] {
    const choices = Object.entries(NAMED_CHOICES).map(([name, place]): SdkType => ({
      name,
      type: { kind: 'literals', values: this.choicesAt(place) },
    }));
    const objects = Object.entries(this.schemas).map(([name, schema]): SdkType => ({
      name: typeNameOf(name),
      description: schema.description,
      type: this.read(schema),
    }));
    return [...choices, ...objects];
  }

  fieldsOf({ properties = {}, required = [] }: Schema): SdkField[] {
    return Object.entries(properties).map(([name, schema]) => this.field(name, schema, required.includes(name)));
  }

  field(name: string, schema: Schema, required: boolean): SdkField {
    const { description, examples } = schema;
    const field = { name, type: this.read(schema), required, description, example: examples?.[0] };
    return takesAmount(schema) ? { ...field, takesAmount: true } : field;
  }

  read(schema: Schema): TypeNode {
    if (schema.$ref !== undefined) return { kind: 'named', name: typeNameOf(referenceName(schema.$ref)) };
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives !== undefined) return unionOf(withoutFloats(alternatives).map((each) => this.read(each)));
    if (schema.const === true) return { kind: 'constant', value: true };
    const choices = choicesOf(schema);
    const kinds = [schema.type ?? []].flat();
    const nullable = kinds.includes('null') ? [{ kind: 'null' } as const] : [];
    if (choices !== undefined) return unionOf([this.choices(choices), ...nullable]);
    const types = kinds.filter((kind) => kind !== 'null').map((kind) => this.ofKind(kind, schema));
    return kinds.length === 0 ? { kind: 'unknown' } : unionOf([...types, ...nullable]);
  }

  private ofKind(kind: string, schema: Schema): TypeNode {
    switch (kind) {
      case 'string':
        return { kind: 'text' };
      case 'integer':
      case 'number':
      case 'boolean':
        return { kind };
      case 'array':
        return { kind: 'list', items: this.read(schema.items ?? {}) };
      case 'object':
        return { kind: 'object', fields: this.fieldsOf(schema) };
      default:
        throw new Error(`No type is known for "${kind}"`);
    }
  }

  private choices(values: readonly string[]): TypeNode {
    const name = this.choiceNames.get(keyOf(values));
    return name === undefined ? { kind: 'literals', values } : { kind: 'named', name };
  }

  /** The values at `Schema.field`. */
  private choicesAt(place: string): readonly string[] {
    const [schema = '', field = ''] = place.split('.');
    const at = this.schemas[schema]?.properties?.[field];
    const values = at && (choicesOf(at) ?? choicesOf(at.items ?? {}));
    if (values === undefined) throw new Error(`type-names.ts: the document has no choices at ${place}`);
    return values;
  }
}

function choicesOf({ const: only, enum: some, pattern }: Schema): readonly string[] | undefined {
  if (typeof only === 'string') return [only];
  if (some !== undefined) return some.filter((value) => value !== null);
  const inAnyCase = pattern === undefined ? undefined : CHOICES_IN_ANY_CASE.exec(pattern)?.[1];
  return inAnyCase?.replaceAll(/\[([A-Z])[a-z]\]/g, '$1').split('|');
}

function takesAmount({ pattern = '', oneOf, anyOf }: Schema): boolean {
  return SENT_AMOUNT.test(pattern) || (oneOf ?? anyOf ?? []).some(takesAmount);
}

/** An amount that the service takes as text or as a number is text here: a float is no amount. */
function withoutFloats(alternatives: readonly Schema[]): readonly Schema[] {
  const takesText = alternatives.some(({ type }) => type === 'string');
  return takesText ? alternatives.filter(({ type }) => type !== 'number') : alternatives;
}

function unionOf(members: readonly TypeNode[]): TypeNode {
  const all = members.flatMap((member) => (member.kind === 'union' ? member.of : [member]));
  // Beside any text, a choice says nothing.
  const flat = all.some(({ kind }) => kind === 'text') ? all.filter((member) => !isChoice(member)) : all;
  const [only] = flat;
  return only !== undefined && flat.length === 1 ? only : { kind: 'union', of: flat };
}

const isChoice = (type: TypeNode): boolean =>
  type.kind === 'literals' || (type.kind === 'named' && Object.hasOwn(NAMED_CHOICES, type.name));

const keyOf = (values: readonly string[]): string => [...values].sort().join('|');
