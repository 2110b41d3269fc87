/** The console's files with a back office that answers by the contract from memory, under the policy of the real one. */
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve } from 'node:path';
import type { ProofDocument } from '@stablecoin/event-proofs/proof-documents';
import type { Schema, Session, Transaction } from '../api/client';
import { depositProof } from './signed-proof';
import {
  balanceAsOf,
  balancesBetween,
  EVENT,
  EXPLANATIONS,
  MEMBERS,
  PASSKEYS,
  SECRET,
  SESSION,
  SIGNERS,
  TRANSACTIONS,
  WAITING,
  WALLETS,
  WEBHOOKS,
} from './stub-content';

const FILES = resolve('dist/console');
const TYPES: Readonly<Record<string, string>> = {
  ...{ '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' },
};
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";

interface StubState {
  session: Session | null;
  transactions: readonly Transaction[];
  members: readonly Schema<'Member'>[];
  passkeys: readonly Schema<'Passkey'>[];
  wallets: readonly Schema<'Wallet'>[];
  waiting: readonly Transaction[];
  webhooks: readonly Schema<'Webhook'>[];
  events: readonly Schema<'EventWithDeliveries'>[];
  /** Of the deposit K7Q2ZP9X4B. */
  proof: ProofDocument;
  /** Whether changes of members want the passkey to be seen again. */
  isStepUpDue: boolean;
  /** What passkeys have answered, in order. */
  responses: Record<string, unknown>[];
  /** What is refused next: by path, with a status. */
  refusals: Map<string, { status: number; code: string; message: string }>;
  asked: string[];
  /** What was asked and has no answer here. */
  unexpected: string[];
  /** Files of the console. */
  sent: string[];
}

/** What a passkey has answered. */
export interface Assertion {
  response: { clientDataJSON: string };
}

type Member = Schema<'Member'>;
/** Undefined is answered 404, null 204; a promise when it is kept. */
type Answer = (request: { url: URL; body: Record<string, unknown>; parts: string[] }) => unknown;
/** By method and path, whose variable parts are named: `GET /api/wallets/:id`. */
export type Answers = Readonly<Record<string, Answer>>;

const base64url = (bytes: Buffer) => bytes.toString('base64url');
const requestOptions = (challenge: Buffer) => ({
  ...{ challenge: base64url(challenge), rpId: 'localhost', userVerification: 'required', allowCredentials: [] },
});
const CREATION_OPTIONS = {
  ...{ challenge: base64url(randomBytes(32)), rp: { id: 'localhost', name: 'Console' }, attestation: 'none' },
  user: { id: base64url(Buffer.from(SESSION.person.person_id)), name: SESSION.person.email, displayName: 'Ada Obi' },
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
};

export class StubBackOffice {
  readonly state: StubState;
  private readonly listeners = new Set<ServerResponse>();
  private readonly server = createServer((request, response) => {
    void this.answer(request, response);
  });

  private constructor(
    private readonly proof: ProofDocument,
    private readonly ofScreen: Answers,
  ) {
    this.state = this.initial();
  }

  /** @param ofScreen what it answers beside what all screens ask */
  static async start(ofScreen: Answers = {}): Promise<StubBackOffice> {
    if (!existsSync(join(FILES, 'index.html'))) throw new Error('the console is not built: npm run build');
    const deposit = TRANSACTIONS.find(({ transaction_id }) => transaction_id === 'K7Q2ZP9X4B');
    if (deposit === undefined) throw new Error('the deposit is not in the content');
    const stub = new StubBackOffice(await depositProof(deposit), ofScreen);
    stub.server.listen(0, '127.0.0.1');
    await once(stub.server, 'listening');
    return stub;
  }

  get origin(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  reset(): void {
    this.hangUp();
    Object.assign(this.state, this.initial());
  }

  /** Ends what all who listen hear. */
  hangUp(): void {
    for (const listener of this.listeners) listener.end();
    this.listeners.clear();
  }

  /** Says to all who listen that a transaction has changed. */
  tell(transactionId: string): void {
    const data = JSON.stringify({ transaction_id: transactionId });
    for (const listener of this.listeners) listener.write(`event: transaction\ndata: ${data}\n\n`);
  }

  /** Says to all who listen how a run of verify goes. */
  tellOfRun(said: object): void {
    for (const listener of this.listeners) listener.write(`event: audit-run\ndata: ${JSON.stringify(said)}\n\n`);
  }

  private initial(): StubState {
    return {
      ...{
        session: SESSION,
        transactions: TRANSACTIONS,
        members: MEMBERS,
        passkeys: PASSKEYS,
        wallets: WALLETS,
        waiting: [WAITING],
        webhooks: WEBHOOKS,
        events: [EVENT],
      },
      ...{ proof: structuredClone(this.proof), isStepUpDue: false, responses: [] },
      ...{ refusals: new Map<string, never>(), asked: [], unexpected: [], sent: [] },
    };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    if (!url.pathname.startsWith('/api/')) return void this.state.sent.push(this.sendFile(url.pathname, response));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const asked = `${request.method ?? 'GET'} ${url.pathname}`;
    this.state.asked.push(`${asked}${url.search}`);
    const refusal = this.state.refusals.get(asked) ?? this.refusalOf(request.method ?? 'GET', url.pathname);
    if (refusal) return sendJson(response, refusal.status, { ...refusal, status: 'error', request_id: randomUUID() });
    if (url.pathname === '/api/transactions.csv') return this.sendCsv(url, response);
    if (url.pathname === '/api/live' || url.pathname === '/api/audit/runs/live') return this.listen(response);
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const found = answerTo(asked, { ...this.answers, ...this.ofScreen });
    if (found === undefined) this.state.unexpected.push(asked);
    const content = await found?.answer({ url, body, parts: found.parts });
    if (content === undefined) {
      return sendJson(response, 404, {
        status: 'error',
        code: 'not_found',
        message: 'Not found.',
        request_id: randomUUID(),
      });
    }
    return content === null ? void response.writeHead(204).end() : sendJson(response, 200, content);
  }

  private refusalOf(method: string, path: string) {
    const { session, isStepUpDue } = this.state;
    const open = path === '/api/sign-in-ways' || path.startsWith('/api/session/');
    if (session === null) return open ? undefined : { status: 401, code: 'not_signed_in', message: 'Sign in first.' };
    const isOfAdmins = path.startsWith('/api/members') || path === '/api/invitations';
    if (isOfAdmins && session.role !== 'admin') {
      return { status: 403, code: 'not_allowed', message: 'Your role may not do that.' };
    }
    if (!isOfAdmins || method === 'GET' || !isStepUpDue) return undefined;
    return { status: 403, code: 'step_up_required', message: 'Show your passkey first.' };
  }

  private listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    this.listeners.add(response);
    response.once('close', () => this.listeners.delete(response));
  }

  private readonly answers: Answers = {
    'GET /api/session': () => this.state.session,
    'GET /api/sign-in-ways': () => ({ passkey: true, oidc: null }),
    'POST /api/session/link': ({ body }) => {
      if (body['token'] === 'right') return (this.state.session = SESSION);
      if (body['token'] === 'right-without') return (this.state.session = { ...SESSION, passkeys: 0 });
      return undefined;
    },
    'DELETE /api/session': () => (this.state.session = null),
    'DELETE /api/sessions': () => (this.state.session = null),
    'GET /api/transactions': ({ url }) => this.page(this.found(url), url),
    'GET /api/transactions/:id': ({ parts: [id] }) =>
      enveloped(this.state.transactions.find(({ transaction_id }) => transaction_id === id)),
    'GET /api/transactions/:id/events': ({ parts: [id] }) => enveloped(EXPLANATIONS[id ?? '']),
    'GET /api/transactions/:id/signers': () => enveloped(SIGNERS),
    'GET /api/transactions/:id/proof': ({ parts: [id] }) =>
      enveloped(id === this.state.proof.transaction_id ? this.state.proof : undefined),
    'GET /api/wallets': ({ url }) => this.page(this.state.wallets, url),
    'GET /api/wallets/:id': ({ parts: [id] }) => enveloped(this.state.wallets.find((wallet) => wallet.id === id)),
    'GET /api/wallets/:id/statement': ({ url }) => enveloped(balanceAsOf(url.searchParams.get('as_of') ?? undefined)),
    'GET /api/wallets/:id/balances': ({ url: { searchParams } }) =>
      enveloped(balancesBetween(searchParams.get('start_date') ?? '', searchParams.get('end_date') ?? '')),
    'GET /api/approvals': ({ url }) => this.page(this.state.waiting, url),
    'POST /api/payouts/:id/approve/options': ({ parts: [id] }) => {
      const payout = this.state.waiting.find(({ transaction_id }) => transaction_id === id);
      return payout && { options: requestOptions(Buffer.from(payout.approval_hash ?? '', 'hex')) };
    },
    'POST /api/payouts/:id/approve': ({ body, parts: [id] }) => this.decided(id, body),
    'POST /api/payouts/:id/reject': ({ body, parts: [id] }) => this.decided(id, body),
    'GET /api/webhooks': ({ url }) => this.page(this.state.webhooks, url),
    'POST /api/webhooks': ({ body }) => {
      const endpoint: Schema<'Webhook'> = {
        ...{ id: randomUUID(), url: String(body['url']), description: null, events: null, status: 'enabled' },
        ...{ created_at: '2026-01-31T09:35:00.000Z', updated_at: '2026-01-31T09:35:00.000Z' },
      };
      this.state.webhooks = [endpoint, ...this.state.webhooks];
      return enveloped({ ...endpoint, secret: SECRET });
    },
    'PUT /api/webhooks/:id': ({ body, parts: [id] }) => {
      const changed = { status: body['status'] as Schema<'Webhook'>['status'] };
      this.state.webhooks = this.state.webhooks.map((one) => (one.id === id ? { ...one, ...changed } : one));
      return enveloped(this.state.webhooks.find((one) => one.id === id));
    },
    'DELETE /api/webhooks/:id': ({ parts: [id] }) => {
      this.state.webhooks = this.state.webhooks.filter((one) => one.id !== id);
      return null;
    },
    'POST /api/webhooks/:id/rotate-secret': () =>
      enveloped({ ...this.state.webhooks[0], secret: SECRET, previous_secret_expires_at: '2026-02-01T09:35:00.000Z' }),
    'POST /api/webhooks/:id/test': () =>
      enveloped({ event_id: EVENT.id, outcome: 'failed', response_status: null, error: 'host_not_found' }),
    'GET /api/events': ({ url }) => this.page(this.state.events, url),
    'GET /api/events/:id': () => enveloped(this.state.events[0]),
    'POST /api/events/:id/resend': () => {
      const [event] = this.state.events;
      const delivered = { status: 'delivered', response_status: 204, error: null, next_attempt_at: null } as const;
      const deliveries = event?.deliveries.map((one) => ({ ...one, ...delivered })) ?? [];
      return enveloped({ ...event, deliveries });
    },
    'GET /api/members': () => ({ data: this.state.members }),
    'PATCH /api/members/:id': ({ body, parts: [id] }) => {
      const changed = { role: body['role'] as Schema<'Role'> };
      this.state.members = this.state.members.map((one) => (one.member_id === id ? { ...one, ...changed } : one));
      return null;
    },
    'DELETE /api/members/:id': ({ parts: [id] }) => {
      this.state.members = this.state.members.filter(({ member_id }) => member_id !== id);
      return null;
    },
    'POST /api/invitations': ({ body }) => {
      const ids = { member_id: randomUUID(), person_id: randomUUID(), status: 'invited', last_seen_at: null } as const;
      this.state.members = [...this.state.members, { ...ids, ...(body as Pick<Member, 'name' | 'email' | 'role'>) }];
      const link = `${this.origin}/link#${'Zk4'.repeat(14)}x`;
      return { invitation_id: randomUUID(), link, expires_at: '2026-02-03T08:00:00.000Z' };
    },
    'POST /api/session/passkey/options': () => ({ options: requestOptions(randomBytes(32)) }),
    'POST /api/session/passkey': ({ body }) => {
      this.keep(body);
      return (this.state.session = SESSION);
    },
    'POST /api/session/step-up/options': () => ({ options: requestOptions(randomBytes(32)) }),
    'POST /api/session/step-up': ({ body }) => {
      this.keep(body);
      this.state.isStepUpDue = false;
      return this.state.session;
    },
    'GET /api/passkeys': () => ({ data: this.state.passkeys }),
    'DELETE /api/passkeys/:id': ({ parts: [id] }) => {
      this.state.passkeys = this.state.passkeys.filter(({ passkey_id }) => passkey_id !== id);
      return null;
    },
    'POST /api/passkeys/options': () => ({ options: CREATION_OPTIONS }),
    'POST /api/passkeys': ({ body }) => {
      this.keep(body);
      const { session } = this.state;
      this.state.session = session && { ...session, passkeys: session.passkeys + 1 };
      const used = { created_at: '2026-01-31T09:35:00.000Z', last_used_at: null };
      this.state.passkeys = [...this.state.passkeys, { passkey_id: randomUUID(), name: String(body['name']), ...used }];
      return {};
    },
  };

  private keep(body: Record<string, unknown>): void {
    this.state.responses.push(body);
  }

  private decided(id: string | undefined, body: Record<string, unknown>) {
    this.keep(body);
    this.state.waiting = this.state.waiting.filter(({ transaction_id }) => transaction_id !== id);
    return {};
  }

  /** A path that names no file is one of the console's own addresses. */
  private sendFile(path: string, response: ServerResponse): string {
    const named = join(FILES, path);
    const file = extname(path) !== '' && existsSync(named) ? named : join(FILES, 'index.html');
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(readFileSync(file));
    return file;
  }

  private found(url: URL): readonly Transaction[] {
    const wanted = (name: string) => url.searchParams.get(name);
    return this.state.transactions.filter((transaction) => {
      const same = ['status', 'transaction_type', 'transaction_mode', 'waiting_for', 'customer_id', 'transaction_id'];
      const search = wanted('search')?.toUpperCase();
      const day = transaction.created_at.slice(0, 10);
      return (
        same.every((name) => wanted(name) === null || wanted(name) === transaction[name as keyof Transaction]) &&
        (wanted('currency') ?? transaction.asset_code) === transaction.asset_code &&
        (search === undefined || transaction.transaction_id.includes(search)) &&
        day >= (wanted('start_date') ?? day) &&
        day <= (wanted('end_date') ?? day)
      );
    });
  }

  page<Item>(items: readonly Item[], url: URL) {
    const [page, limit] = ['page', 'limit'].map((name, place) => Number(url.searchParams.get(name) ?? [1, 20][place]));
    const [from, size] = [((page ?? 1) - 1) * (limit ?? 20), limit ?? 20];
    const pagination: Schema<'Pagination'> = {
      ...{ total: items.length, page: page ?? 1, limit: size, totalPages: Math.ceil(items.length / size) },
    };
    return { status: 'success', data: items.slice(from, from + size), pagination };
  }

  private sendCsv(url: URL, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write('transaction_id,amount,currency\r\n');
    for (const { transaction_id, amount, asset_code } of this.found(url)) {
      response.write(`${transaction_id},${amount},${asset_code}\r\n`);
    }
    response.end();
  }
}

export const enveloped = (data: unknown) => (data === undefined ? undefined : { status: 'success', data });

/** What answers `GET /api/transactions/K7Q2ZP9X4B/events`, and the parts that the pattern leaves open: the id. */
function answerTo(asked: string, answers: Answers): { answer: Answer; parts: string[] } | undefined {
  const parts = asked.split('/');
  const patterns = Object.keys(answers).filter((pattern) => {
    const places = pattern.split('/');
    return places.length === parts.length && places.every((place, at) => isOpen(place) || place === parts[at]);
  });
  // The one with the fewest open places is meant: /passkeys/options is no id.
  const [pattern] = patterns.sort((one, other) => openPlaces(one).length - openPlaces(other).length);
  const answer = pattern === undefined ? undefined : answers[pattern];
  if (pattern === undefined || answer === undefined) return undefined;
  return { answer, parts: openPlaces(pattern).map((at) => decodeURIComponent(parts[at] ?? '')) };
}
const isOpen = (place: string) => place.startsWith(':');
const openPlaces = (pattern: string) => pattern.split('/').flatMap((place, at) => (isOpen(place) ? [at] : []));

function sendJson(response: ServerResponse, status: number, content: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
}
