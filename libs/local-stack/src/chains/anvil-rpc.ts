// What the local stack asks of its own anvil: calls that succeed, or end the step with what anvil said.

const CALL_TIMEOUT_MS = 30_000;

/** A value of JSON-RPC as anvil takes it. */
export type Parameter =
  string | number | boolean | null | readonly Parameter[] | { readonly [name: string]: Parameter };

interface Answer {
  id: number;
  result?: unknown;
  error?: { code: number; message: string };
}

export class AnvilRpc {
  constructor(readonly url: string) {}

  /** The caller names the type of the result: anvil is our own program, of a known version. */
  async call<Result>(method: string, ...params: Parameter[]): Promise<Result> {
    const [result] = await this.callAll<[Result]>([method, ...params]);
    return result;
  }

  /** Several calls in one request. */
  async callAll<Results extends readonly unknown[]>(
    ...calls: readonly (readonly [method: string, ...params: Parameter[]])[]
  ): Promise<Results> {
    const requests = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }));
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requests),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const answers = (await response.json()) as Answer[];
    return requests.map(({ id, method }) => {
      const answer = answers.find((one) => one.id === id);
      if (answer === undefined || answer.error !== undefined)
        throw new Error(`anvil refused ${method}: ${answer?.error?.message ?? 'it gave no answer'}`);
      return answer.result;
    }) as unknown as Results;
  }
}
