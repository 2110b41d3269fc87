import { callOperation, INPUT_TYPES, InputType, OPERATIONS } from '@stablecoin/sdk-typescript/operations';
import { Stablecoin } from '@stablecoin/sdk-typescript/index';
import { sdkModel } from './read-document';

const DATA = {
  status: 'success',
  data: { data: { id: '1' }, status: 'success' },
  pagination: { page: 1, totalPages: 1 },
};

/** The requests that a call by a description sends. */
async function sentBy(place: string, input: Parameters<typeof callOperation>[2]): Promise<[string, string, unknown]> {
  const [resource, method] = place.split('.');
  const operation = OPERATIONS.find((each) => each.resource === resource && each.method === method);
  const sent: [string, string, unknown][] = [];
  const fetch: typeof globalThis.fetch = (url, init = {}) => {
    sent.push([init.method ?? '', String(url), init.body === undefined ? undefined : init.body]);
    return Promise.resolve(Response.json(DATA));
  };
  await callOperation(new Stablecoin({ apiKey: 'sk_test', baseUrl: 'http://service/api', fetch }), operation!, input);
  return sent[0]!;
}

describe('The interface as data', () => {
  it('has every method of the model', () => {
    const methods = sdkModel().resources.flatMap(({ name, methods: all }) => all.map((each) => `${name}.${each.name}`));
    expect(OPERATIONS.map(({ resource, method }) => `${resource}.${method}`)).toEqual(methods);
  });

  it('has every type that another names', () => {
    const named = (type: InputType): string[] => {
      if (type.kind === 'named') return [type.name];
      if (type.kind === 'list') return named(type.items);
      if (type.kind === 'union') return type.of.flatMap(named);
      return type.kind === 'object' ? type.fields.flatMap((field) => named(field.type)) : [];
    };
    const names = [
      ...OPERATIONS.flatMap(({ params }) => params?.typeName ?? []),
      ...Object.values(INPUT_TYPES).flatMap(named),
    ];
    expect(names.filter((name) => !(name in INPUT_TYPES))).toEqual([]);
  });

  it('is called as the methods are: ids in their order, then the file or the body or the query', async () => {
    expect(await sentBy('wallets.get', { pathParameters: { walletId: 'w' } })).toEqual([
      ...['GET', 'http://service/api/wallets/w', undefined],
    ]);
    expect(await sentBy('wallets.list', { params: { limit: 2 } })).toEqual([
      ...['GET', 'http://service/api/wallets?limit=2', undefined],
    ]);
    const [, url, body] = await sentBy('webhooks.update', {
      pathParameters: { webhookId: 'h' },
      params: { status: 'enabled' },
    });
    expect([url, JSON.parse(String(body))]).toEqual(['http://service/api/webhooks/h', { status: 'enabled' }]);
    expect((await sentBy('documents.upload', { file: new Blob(['%PDF']) }))[0]).toBe('POST');
    await expect(sentBy('wallets.get', {})).rejects.toThrow(TypeError);
  });
});
