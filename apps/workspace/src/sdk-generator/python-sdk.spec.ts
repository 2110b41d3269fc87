import { pythonRefusals } from './python-refusals';
import { pythonResources } from './python-resources';
import { docstring, listed, pythonName } from './python-text';
import { namedThroughout, pythonTypes } from './python-types';
import { SdkField, SdkMethod, SdkModel, TypeNode } from './sdk-model';

const TEXT: TypeNode = { kind: 'text' };
const field = (name: string, type: TypeNode, further: Partial<SdkField> = {}): SdkField => ({
  name,
  type,
  required: false,
  ...further,
});

const METHOD: SdkMethod = {
  name: 'payOut',
  operationId: 'payOut',
  httpMethod: 'POST',
  path: '/purses/{purseId}/payouts',
  summary: 'Pay out',
  description: 'After `listPurses`.',
  pathParameters: [{ name: 'purseId', wireName: 'purseId' }],
  body: { mediaType: 'application/json', typeName: 'PayOutParams', required: true },
  answer: { kind: 'value', type: { kind: 'named', name: 'Receipt' }, path: ['data', 'data'] },
  takesIdempotencyKey: true,
  errorCodes: ['purse_empty', 'unavailable'],
};
const LIST: SdkMethod = {
  ...METHOD,
  ...{ name: 'list', operationId: 'listPurses', httpMethod: 'GET', path: '/purses', summary: 'List purses' },
  ...{ pathParameters: [], body: undefined, query: { typeName: 'PurseListParams', required: false } },
  ...{ answer: { kind: 'page', item: { kind: 'named', name: 'Receipt' } }, takesIdempotencyKey: false },
  errorCodes: ['unavailable'],
};

const error = (code: string, className: string) => ({ code, className, status: 422, message: `About ${code}.` });

/** Of a service that does not exist. */
const MODEL: SdkModel = {
  version: '1',
  resources: [{ name: 'fullPurses', methods: [LIST, METHOD] }],
  types: [
    {
      name: 'PayOutParams',
      type: {
        kind: 'object',
        fields: [
          field('note', { kind: 'union', of: [TEXT, { kind: 'null' }] }),
          field('amount', TEXT, { required: true, takesAmount: true }),
          field('from', { kind: 'list', items: TEXT }),
        ],
      },
    },
    { name: 'PurseListParams', type: { kind: 'object', fields: [field('colour', TEXT)] } },
    {
      name: 'Receipt',
      type: {
        kind: 'object',
        fields: [
          field('amount', TEXT, { required: true }),
          field('stamp', { kind: 'object', fields: [field('at', TEXT)] }),
          field('stamp_colour', { kind: 'literals', values: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }),
        ],
      },
    },
  ],
  errors: [error('purse_empty', 'PurseEmptyError'), error('unavailable', 'UnavailableError')],
  events: [],
};

/** With bodies whose fields Python can name. */
const typesOf = (model: SdkModel) =>
  pythonTypes(namedThroughout({ ...model, types: model.types.filter(({ name }) => name !== 'PayOutParams') }));

describe('A method in Python', () => {
  const written = pythonResources(namedThroughout(MODEL));

  it('has fields as keyword arguments, those that are required first, and null apart from what is left out', () => {
    expect(written).toContain(`    def pay_out(
        self,
        purse_id: str,
        *,
        amount: Amount,
        note: str | None | Omitted = OMITTED,
        from_: Sequence[str] | Omitted = OMITTED,
        idempotency_key: str | None = None,
    ) -> Receipt:`);
  });

  it('sends them under their names on the wire, and opens the answer', () => {
    expect(written).toContain('parameters={"purseId": purse_id}');
    expect(written).toContain('fields={"amount": amount, "note": note, "from": from_}');
    expect(written).toContain(')["data"]["data"]');
    expect(written).toContain('AMOUNT_FIELDS = frozenset({"amount"})');
  });

  it('says which errors are its own, and names other operations as Python does', () => {
    expect(written).toContain('After `full_purses.list`.');
    expect(written).toContain('PurseEmptyError: About purse_empty.');
    expect(written).not.toContain('UnavailableError: About');
  });

  it('that writes needs a key, with which it may be sent again', () => {
    const methods = [{ ...METHOD, takesIdempotencyKey: false }];
    const model = { ...MODEL, resources: [{ name: 'purses', methods }] };
    expect(() => pythonResources(model)).toThrow('payOut takes no Idempotency-Key');
  });

  it('of a list takes its query and gives pages', () => {
    expect(written).toContain('def list(self, *, colour: str | None = None) -> Pages[Receipt]:');
    expect(written).toContain('self.full_purses = FullPurses(requester)');
  });
});

describe('Types in Python', () => {
  it('stand after those that they name, and leave queries out', () => {
    const written = typesOf(MODEL);
    expect(written.indexOf('class ReceiptStamp(TypedDict)')).toBeLessThan(written.indexOf('class Receipt(TypedDict)'));
    expect(written).not.toContain('PurseListParams');
  });

  it('have names for objects and long choices, and say which keys may be missing', () => {
    const written = typesOf(MODEL);
    expect(written).toContain('StampColour: TypeAlias = Literal["a", "b", "c", "d", "e", "f", "g"]');
    expect(written).toContain('    stamp: NotRequired[ReceiptStamp]\n    stamp_colour: NotRequired[StampColour]\n');
  });

  it('can have no field whose name Python reserves', () => {
    expect(() => pythonTypes(namedThroughout(MODEL))).toThrow('PayOutParams has a field that Python reserves');
  });
});

it('Errors in Python are a class for each code', () => {
  const written = pythonRefusals(MODEL);
  expect(written).toContain(
    'class PurseEmptyError(StablecoinApiError):\n    """422 ``purse_empty``: About purse_empty."""',
  );
  expect(written).toContain('{"purse_empty": PurseEmptyError, "unavailable": UnavailableError}');
});

describe('Text in Python', () => {
  it('has names of its own form, and none that it reserves', () => {
    expect(['walletId', 'from', 'createToBank'].map(pythonName)).toEqual(['wallet_id', 'from_', 'create_to_bank']);
  });

  it('breaks lines at 120 columns, and cannot be ended by what it quotes', () => {
    const long = docstring([`${'word '.repeat(40)}end`, 'Ends """here\\'], '    ');
    expect(Math.max(...long.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(long).toContain('Ends \\"\\"\\"here\\\\');
    expect(listed('f(', ['x'.repeat(80), 'y'.repeat(40)], ')').split('\n')).toHaveLength(4);
  });
});
