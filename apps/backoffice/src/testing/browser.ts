/** What a refusal says, or an answer. */
export interface Shown {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
}

/** Of a stream that goes on. */
export interface Heard {
  status: number;
  text: string;
  hasEnded: boolean;
  stop(): void;
}

/** Keeps the one cookie that it is given, and names its page's origin with what is no GET. */
export class Browser {
  cookie: string | undefined;

  constructor(
    private readonly url: string,
    /** From where it comes; undefined for this machine. */
    readonly address: string | undefined,
    /** As its page has one; null: it names none. */
    readonly origin: string | null = url,
  ) {}

  /** The same person's cookie in another browser, or in a thief's. */
  stolenBy(thief: Browser): Browser {
    thief.cookie = this.cookie;
    return thief;
  }

  get = (path: string, headers: Record<string, string> = {}): Promise<Shown> => this.ask('GET', path, { headers });
  post = (path: string, body?: unknown): Promise<Shown> => this.ask('POST', path, { body });
  patch = (path: string, body: unknown): Promise<Shown> => this.ask('PATCH', path, { body });
  delete = (path: string): Promise<Shown> => this.ask('DELETE', path);

  /** What a page of it hears, as it comes. */
  async hear(path: string): Promise<Heard> {
    const aborting = new AbortController();
    const headers = { ...(this.cookie !== undefined && { cookie: this.cookie }), ...this.fromAddress() };
    const { status, body } = await fetch(`${this.url}${path}`, { headers, signal: aborting.signal });
    const heard: Heard = { status, text: '', hasEnded: false, stop: () => aborting.abort() };
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) heard.text += decoder.decode(chunk);
    };
    void read()
      .catch(() => undefined)
      .finally(() => (heard.hasEnded = true));
    return heard;
  }

  private fromAddress(): Record<string, string> {
    return this.address === undefined ? {} : { 'x-forwarded-for': this.address };
  }

  /** @throws Error where the link does not sign in */
  async signIn(token: string): Promise<Shown> {
    const shown = await this.post('/api/session/link', { token });
    if (shown.status !== 200) throw new Error(`the link was answered ${shown.status}: ${shown.text}`);
    return shown;
  }

  async ask(
    method: string,
    path: string,
    { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Shown> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie !== undefined && { cookie: this.cookie }),
        ...this.fromAddress(),
        ...(method !== 'GET' && this.origin !== null && { origin: this.origin }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) this.cookie = set.includes('Max-Age=0') ? undefined : set.split(';', 1)[0];
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
