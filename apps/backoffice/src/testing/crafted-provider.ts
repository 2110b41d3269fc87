import { createHash, generateKeyPairSync, KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const CLIENT_ID = 'console-of-a-test';
const CLIENT_SECRET = 'planted-client-secret-9b41';

/** What a browser takes to the provider. */
export interface Asked {
  state: string;
  nonce: string;
  code_challenge: string;
  redirect_uri: string;
}

/** What is other than an honest provider's. */
export interface Lie {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signs instead of the key that it shows. */
  key?: KeyObject;
  /** Made of the parts of an honest one. */
  token?: (header: string, payload: string, signature: string) => string;
}

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const anotherKey = (): KeyObject => keyPair().privateKey;

/** A provider that says what a test wants, each code once, to who shows its verifier and the client's secret. */
export class CraftedProvider {
  /** Answers nothing, until it is set to false again. */
  hangs = false;
  private readonly keys = keyPair();
  private readonly codes = new Map<string, Asked & { subject: string; lie: Lie }>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.answer(request, response));
  }

  static async start(): Promise<CraftedProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CraftedProvider(server);
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get settings(): NodeJS.ProcessEnv {
    return {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Marina ID',
    };
  }

  /** @returns the query with which it sends the browser back */
  vouchFor(subject: string, asked: Asked, lie: Lie = {}): URLSearchParams {
    const code = randomUUID();
    this.codes.set(code, { ...asked, subject, lie });
    return new URLSearchParams({ code, state: asked.state, iss: this.issuer });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.hangs) return;
    const { pathname } = new URL(request.url ?? '', this.issuer);
    const say = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (pathname === '/.well-known/openid-configuration') return void say(200, this.description());
    if (pathname === '/jwks') return void say(200, { keys: [this.publicKey()] });
    const body = new URLSearchParams(await textOf(request));
    const found = this.codes.get(body.get('code') ?? '');
    this.codes.delete(body.get('code') ?? '');
    const isProven = sha256(body.get('code_verifier') ?? '') === found?.code_challenge && isClient(request);
    if (!found || !isProven) return void say(400, { error: 'invalid_grant' });
    return void say(200, { access_token: 'a', token_type: 'Bearer', id_token: this.idToken(found) });
  }

  private description() {
    return {
      issuer: this.issuer,
      ...{ authorization_endpoint: `${this.issuer}/authorize`, token_endpoint: `${this.issuer}/token` },
      ...{ jwks_uri: `${this.issuer}/jwks`, authorization_response_iss_parameter_supported: true },
      ...{ response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256', 'none'] },
    };
  }

  private publicKey() {
    return { ...this.keys.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' };
  }

  private idToken({ subject, nonce, lie }: { subject: string; nonce: string; lie: Lie }): string {
    const now = Math.floor(Date.now() / 1_000);
    const own = { iss: this.issuer, aud: CLIENT_ID, sub: subject, nonce, iat: now, exp: now + 60 };
    const header = encoded({ alg: 'RS256', kid: 'one', ...lie.header });
    const payload = encoded({ ...own, ...lie.claims });
    const signature = sign('sha256', Buffer.from(`${header}.${payload}`), lie.key ?? this.keys.privateKey);
    const whole = lie.token ?? ((...parts: string[]) => parts.join('.'));
    return whole(header, payload, signature.toString('base64url'));
  }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** RFC 6749 has both parts encoded as in a form before they are joined. */
function isClient({ headers }: IncomingMessage): boolean {
  const basic = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
  return basic.split(':').map(decodeURIComponent).join(':') === `${CLIENT_ID}:${CLIENT_SECRET}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
