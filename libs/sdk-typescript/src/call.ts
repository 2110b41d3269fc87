/** A success as it came, beside its data. */
export interface Answer<Data> {
  data: Data;
  status: number;
  headers: Headers;
  /** Finds the request in the service's logs. */
  requestId: string;
  /** True when the call had taken effect before, and this is the stored answer. */
  replayed: boolean;
  /** How often it was sent. */
  attempts: number;
}

/** A call under way: `await` gives its data, `withAnswer()` what came beside it. */
export class Call<Data> implements Promise<Data> {
  readonly [Symbol.toStringTag] = 'Call';

  /** @param answered is asked for the answer whenever it is needed, and gives the same one each time */
  constructor(private readonly answered: () => Promise<Answer<Data>>) {}

  /** The data with status, headers and request id, and whether it is the stored answer of an earlier attempt. */
  withAnswer(): Promise<Answer<Data>> {
    return this.answered();
  }

  then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.data().then(onFulfilled, onRejected);
  }

  catch<Rejected = never>(
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Data | Rejected> {
    return this.data().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Data> {
    return this.data().finally(onFinally);
  }

  private async data(): Promise<Data> {
    return (await this.answered()).data;
  }
}
