import type { ConsoleOperation, Filled } from './console-operation';
import { KnownIds, type TabStore } from './known-ids';
import { prepare, sendWithRemedies, type Surroundings } from './preparation';
import type { ConsoleAnswer } from './requests';

const operation = (operationId: string, rest: Partial<ConsoleOperation> = {}): ConsoleOperation => ({
  operationId,
  method: 'POST',
  path: `/${operationId}`,
  parameters: [],
  bodies: [],
  takesFile: false,
  successStatus: 200,
  ...rest,
});
const naming = (name: string) => [{ name, in: 'path' as const, required: true, options: [], example: '' }];
const OPERATIONS = [
  operation('listWebhooks', { method: 'GET' }),
  operation('createWebhook', { bodies: [{ name: 'One', value: { url: 'http://127.0.0.1:4000' } }] }),
  operation('getWebhook', { method: 'GET', parameters: naming('webhook_id') }),
  operation('deleteWebhook', { method: 'DELETE', parameters: naming('webhook_id') }),
  operation('createQuote', { bodies: [{ name: '40 USDT', value: { amount: '40' } }] }),
  operation('executeSwap', { bodies: [{ name: 'Latest', value: { amount: '40' } }] }),
];

class TabOfTest implements TabStore {
  private readonly values = new Map<string, string>();
  getItem = (name: string) => this.values.get(name) ?? null;
  setItem = (name: string, value: string) => void this.values.set(name, value);
  removeItem = (name: string) => void this.values.delete(name);
}

const answered = (status: number, body: unknown): ConsoleAnswer => ({
  status,
  statusText: '',
  headers: [],
  text: JSON.stringify(body),
  body,
});
const byId = (operationId: string) => OPERATIONS.find((one) => one.operationId === operationId) as ConsoleOperation;

function surroundings(listed: readonly string[], mayMake = true): Surroundings & { asked: string[] } {
  const asked: string[] = [];
  return {
    operations: new Map(OPERATIONS.map((one) => [one.operationId, one])),
    knownIds: new KnownIds(new TabOfTest()),
    mayMake,
    asked,
    ask: ({ operationId }: ConsoleOperation, _filled: Filled) => {
      asked.push(operationId);
      const data = operationId === 'listWebhooks' ? listed.map((id) => ({ id })) : { id: 'made' };
      return Promise.resolve(answered(200, { status: 'success', data }));
    },
    newKey: () => 'key',
    pause: () => Promise.resolve(),
  };
}

describe('an id that an operation needs', () => {
  it.each<[string, string, string[], boolean, string | undefined, string[]]>([
    ['comes from a list', 'getWebhook', ['listed'], true, 'listed', ['listWebhooks']],
    ['is made when the list is empty', 'getWebhook', [], true, 'made', ['listWebhooks', 'createWebhook']],
    ['is made for what ends it, whatever is listed', 'deleteWebhook', ['listed'], true, 'made', ['createWebhook']],
    ['is never made with a live key', 'getWebhook', [], false, undefined, ['listWebhooks']],
    ['is left to the reader of a live key for what ends it', 'deleteWebhook', ['listed'], false, undefined, []],
  ])('%s', async (_name, operationId, listed, mayMake, id, asked) => {
    const around = surroundings(listed, mayMake);
    const { parameters, missing } = await prepare(byId(operationId), {}, around);
    expect([parameters['webhook_id'], missing, around.asked]).toEqual([id, id ? [] : ['webhook_id'], asked]);
  });

  it('is what the reader wrote, or what this tab made last and has not ended', async () => {
    const around = surroundings(['listed']);
    expect((await prepare(byId('getWebhook'), { webhook_id: 'mine' }, around)).parameters).toEqual({
      webhook_id: 'mine',
    });
    around.knownIds.note('createWebhook', { data: { id: 'of this tab' } });
    const { parameters } = await prepare(byId('deleteWebhook'), {}, around);
    expect([parameters, around.asked]).toEqual([{ webhook_id: 'of this tab' }, []]);
    around.knownIds.note('deleteWebhook', {});
    expect(around.knownIds.of('webhook')).toBeUndefined();
  });
});

describe('what a refusal says is missing', () => {
  const refused = answered(409, { code: 'quote_required' });
  const sendTwice = async (body: string, mayMake: boolean) => {
    const around = surroundings([], mayMake);
    const answers = [refused, answered(200, {})];
    const filled = { parameters: {}, body, idempotencyKey: '' };
    const sendIt = () => Promise.resolve(answers.shift() ?? refused);
    const { answer } = await sendWithRemedies(byId('executeSwap'), filled, sendIt, around);
    return [answer.status, around.asked];
  };

  it('is made for a body of the document with a test key, and for no other', async () => {
    expect(await sendTwice('{ "amount": "40" }', true)).toEqual([200, ['createQuote']]);
    expect(await sendTwice('{ "amount": "41" }', true)).toEqual([409, []]);
    expect(await sendTwice('{ "amount": "40" }', false)).toEqual([409, []]);
  });

  it('is made once: the second such refusal is the answer', async () => {
    const around = surroundings([]);
    const filled = { parameters: {}, body: '{"amount":"40"}', idempotencyKey: '' };
    const { answer } = await sendWithRemedies(byId('executeSwap'), filled, () => Promise.resolve(refused), around);
    expect([answer.status, around.asked]).toEqual([409, ['createQuote']]);
  });
});
