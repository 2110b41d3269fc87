import type { ConsoleOperation } from '../console/console-operation';
import { LANGUAGES } from './languages';
import type { Sample } from './sample';

const UPDATE: ConsoleOperation = {
  operationId: 'updateIndividualCustomer',
  method: 'PUT',
  path: '/individual-customers/{customerId}',
  parameters: [{ name: 'customerId', in: 'path', required: true, options: [], example: '' }],
  bodies: [{ name: 'Any', value: {} }],
  takesFile: false,
  successStatus: 200,
};
const BODY = '{"first_name":"O\'Neil","pep":false,"phone":null,"documents":[{"note":"a\\"b"}],"age":3}';

const shown = (changes: Partial<Sample['filled']> = {}, operation = UPDATE) => {
  const filled = { parameters: {}, body: BODY, idempotencyKey: 'order-1', ...changes };
  const sample = { operation, filled, apiUrl: 'https://api.example.com/api' };
  return Object.fromEntries(LANGUAGES.map(({ name, of }) => [name, of(sample)]));
};

it('say the same in each language, with whatever a body holds', () => {
  const { curl, TypeScript, Python } = shown({ parameters: { customerId: 'a/b' } });
  expect(curl).toBe(`curl -X PUT 'https://api.example.com/api/individual-customers/a%2Fb' \\
  -H "x-api-key: $STABLECOIN_API_KEY" \\
  -H 'Idempotency-Key: order-1' \\
  -H 'content-type: application/json' \\
  -d '{
  "first_name": "O'\\''Neil",
  "pep": false,
  "phone": null,
  "documents": [
    {
      "note": "a\\"b"
    }
  ],
  "age": 3
}'`);
  expect(TypeScript?.split('\n\n').at(-1)).toBe(`console.log(await stablecoin.customers.updateIndividual('a/b', {
  first_name: 'O\\'Neil',
  pep: false,
  phone: null,
  documents: [{ note: 'a"b' }],
  age: 3,
}, { idempotencyKey: 'order-1' }));`);
  expect(Python?.split('\n\n').at(-1)).toBe(`print(stablecoin.customers.update_individual(
    "a/b",
    first_name="O'Neil",
    pep=False,
    phone=None,
    documents=[
        {
            "note": "a\\"b",
        },
    ],
    age=3,
    idempotency_key="order-1",
))`);
});

it('name an id that is not known yet, and the key by its variable', () => {
  for (const text of Object.values(shown())) {
    expect(text).toContain('CUSTOMER_ID');
    expect(text).toContain('STABLECOIN_API_KEY');
    expect(text).toContain('https://api.example.com/api');
  }
});

it('have a query without what was left out', () => {
  const parameters = ['status', 'limit'].map((name) => ({
    ...{ name, in: 'query' as const, required: false, options: [], example: '' },
  }));
  const list = { ...UPDATE, operationId: 'listCustomers', method: 'GET', path: '/customers', parameters, bodies: [] };
  const samples = shown({ parameters: { status: '', limit: '5' } }, list);
  expect(samples).toEqual({
    curl: expect.stringContaining(`'https://api.example.com/api/customers?limit=5'`) as string,
    TypeScript: expect.stringContaining('customers.list({ limit: 5 })') as string,
    Python: expect.stringContaining('customers.list(limit=5)') as string,
  });
});
