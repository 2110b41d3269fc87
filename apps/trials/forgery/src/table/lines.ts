/** Of what the lines of the table are made: each function makes a forgery of one kind. */
import { SignTransfer, signTransfer } from '@stablecoin/contracts/signer/sign-transfer';
import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import type { BusUser } from '@stablecoin/local-stack/bus-users';
import type { DatabaseName } from '@stablecoin/migrations/databases';
import type { Answer } from '@stablecoin/testing/merchant-client';
import type { Asking } from '../ground/bus';
import { type Database, type Login, OWNER } from '../ground/databases';
import type { People } from '../ground/people';
import type { Site } from '../ground/site';
import { type Evidence, type Expectation, foundByVerify, refusedBy, type Refuser } from '../judging/expectation';
import { appendCommand, DEPOSITED, type ForgedCommand, HELD } from './forged-log';
import type { Forgery } from './forgery';

type Attempt = Forgery['attempt'];

const refused = (by: Refuser, error: string): Evidence => ({ became: 'refused', by, error });

/** A request over HTTP. What the gateway answers is the refusal: `404 not_found`. */
export const requests = (
  what: string,
  send: (people: People) => Promise<Answer<unknown>>,
  answer: string,
): Forgery => ({
  what,
  stage: 'running',
  expected: refusedBy('the gateway', answer),
  attempt: async ({ people }) => {
    const { status, body, text } = await send(people);
    if (status < 300) return { became: 'unseen', what: `answered ${status}: ${text}` };
    return refused('the gateway', `${status} ${body.code ?? text}`);
  },
});

/** What the broker's permissions don't let a user say, whatever it would say. */
export const publishes = (user: BusUser, what: string, subject: string): Forgery => {
  const due = `Permissions Violation for Publish to "${subject}"`;
  return speaks(user, what, `PUB ${subject} _INBOX_${user}.x 0\r\n\r\n`, due);
};

/** What the broker's permissions don't let a user hear. */
export const listens = (user: BusUser, what: string, subject: string): Forgery =>
  speaks(user, what, `SUB ${subject} 1\r\n`, `Permissions Violation for Subscription to "${subject}"`);

const speaks = (user: BusUser, what: string, text: string, due: string): Forgery => ({
  what,
  stage: 'running',
  expected: refusedBy('the broker', due),
  attempt: async ({ bus }) => {
    const answer = await bus.answer(user, text);
    const [, error] = /-ERR '(.*)'/.exec(answer) ?? [];
    return error === undefined ? { became: 'unseen', what: `the broker said ${answer}` } : refused('the broker', error);
  },
});

/** A command to the ledger, by a service's user and keys, that has to be refused. The code, and why where the ledger counts that. */
export const calls = <Request extends object, Reply>(
  what: string,
  operation: Operation<Request, Reply>,
  asked: (people: People) => { body: Plain<Request> } & Asking,
  error: string,
): Forgery => ({
  what,
  stage: 'running',
  expected: refusedBy('the ledger', error),
  attempt: (site) => {
    const { body, ...asking } = asked(site.people);
    return refusalOf(site, () => site.bus.call(operation, body, asking));
  },
});

/** A transaction that the chain service's user asks the signer for. The fields at fault, and why. */
export const asksSigner = (
  what: string,
  asked: (site: Site) => readonly Plain<SignTransfer>[],
  error: string,
): Forgery => ({
  what,
  stage: 'running',
  expected: refusedBy('the signer', error),
  attempt: async (site) => {
    try {
      for (const request of asked(site)) await site.bus.call(signTransfer, request, { user: 'chain' });
      return { became: 'unseen', what: 'it was signed' };
    } catch (failure) {
      if (!(failure instanceof Refusal)) throw failure;
      return refused('the signer', (failure.fields ?? []).map(({ code }) => code).join(' '));
    }
  },
});

/** What a service says, and the reasons that the ledger counted meanwhile. */
export async function refusalOf(
  site: Site,
  ask: () => Promise<unknown>,
  by: Refuser = 'the ledger',
): Promise<Evidence> {
  const before = await site.refusedCommands();
  try {
    return { became: 'unseen', what: JSON.stringify(await ask()) };
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    const after = [...(await site.refusedCommands())];
    const reasons = after.filter(([reason, count]) => count > (before.get(reason) ?? 0)).map(([reason]) => reason);
    const fields = (failure.fields ?? []).map(({ field }) => field);
    return refused(by, [failure.code, ...reasons, ...fields].join(' '));
  }
}

interface Sql {
  login: Login;
  database: DatabaseName;
  /** The last one is the forgery: it has to be refused, or to touch rows. */
  statements: readonly string[] | ((people: People) => readonly string[]);
}

/** Statements at rest. What Postgres lets through in the ledger's database, the auditor has to find. */
export const sql = (
  what: string,
  { login, database, statements }: Sql,
  expected: Expectation,
  shown?: (site: Site, forged: Database) => Promise<string>,
): Forgery => ({
  what,
  stage: 'at rest',
  expected,
  attempt: async (site) => {
    const forged = await site.copies.of(database);
    const error = await tried(forged, login, typeof statements === 'function' ? statements(site.people) : statements);
    if (error !== undefined) return refused('Postgres', error);
    forged.isForged = true;
    if (shown) return { became: 'noticed', shown: await shown(site, forged) };
    if (database !== 'ledger') return { became: 'unseen', what: `in the ${database} database` };
    return verified(site, forged);
  },
});

/** @returns what Postgres says where it refuses */
async function tried(database: Database, login: Login, statements: readonly string[]): Promise<string | undefined> {
  try {
    const { count } = await database.as(login, statements);
    if (count === 0) throw new Error(`"${statements.at(-1) ?? ''}" touched no row: it is no forgery`);
    return undefined;
  } catch (error) {
    // Of Postgres: each of its errors has a code of five characters.
    const { code, message } = error as { code?: unknown; message: string };
    if (typeof code === 'string' && code.length === 5) return message;
    throw error;
  }
}

/** What the auditor says of a forged ledger. */
export async function verified(
  { auditor }: Pick<Site, 'auditor'>,
  database: Database,
  flags?: readonly string[],
  when?: { isLater: boolean },
): Promise<Evidence> {
  const { isIntact, report, advice } = await auditor.verify(database, flags, when);
  return isIntact ? { became: 'unseen', what: 'audit verify: Intact' } : { became: 'found', report, advice };
}

/** Whatever the role may read is looked through for what is personal. */
export const readsEverything = (login: Login, databases: readonly DatabaseName[]): Forgery => ({
  what: `reads every table of ${databases.join(', ')} that ${login === OWNER ? 'there is' : 'the role may read'}`,
  stage: 'at rest',
  expected: refusedBy('encryption', 'nothing personal in clear'),
  attempt: async ({ copies, people }) => {
    const found: string[] = [];
    let read = 0;
    for (const name of databases) {
      const { text, tables } = await (await copies.of(name)).allThat(login);
      read += tables;
      found.push(...people.secrets.filter((secret) => text.includes(secret)).map((secret) => `"${secret}" in ${name}`));
    }
    if (read === 0) throw new Error(`${login} reads no table: it is no forgery`);
    if (found.length > 0) return { became: 'unseen', what: found.join(', ') };
    return refused('encryption', `nothing personal in clear in ${read} tables`);
  },
});

/** A command line of an operator's program that refuses. */
export const commands = (what: string, args: (people: People) => readonly string[], error: string): Forgery => ({
  what,
  stage: 'running',
  expected: refusedBy("the operator's program", error),
  attempt: async ({ operator, people }) => {
    const { code, stdout, stderr } = await operator.answerTo(args(people));
    return code === 0 ? { became: 'unseen', what: stdout } : refused("the operator's program", stderr.trim());
  },
});

/** Whatever else: a forgery of several steps. */
export const does = (what: string, stage: Forgery['stage'], expected: Expectation, attempt: Attempt): Forgery => ({
  ...{ what, stage, expected, attempt },
});

interface Appended extends Pick<ForgedCommand, 'command' | 'askedBy'> {
  names: string;
  when?: string;
  recordedAt?: () => Date;
}

/** A command with sound hashes, head and tables, by a login that may append; the signature is what it lacks. */
const appendsCommand = (login: Login, what: string, { names, when, recordedAt, ...forged }: Appended): Forgery => ({
  what,
  stage: 'at rest',
  expected: foundByVerify(names, when),
  attempt: async (site) => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    await appendCommand(copy, login, { ...forged, walletId: site.people.mallory.walletId, recordedAt: recordedAt?.() });
    return verified(site, copy, [], { isLater: when !== undefined });
  },
});

/** It would have to say which rail has seen the money, with that service's signature. */
export const appendsDeposit = (login: Login, what: string): Forgery =>
  appendsCommand(login, what, { ...DEPOSITED, names: 'names no service that asked for it' });

/** What the gateway asks for is proved to the ledger alone, so that only the ledger's own signature is missing. */
export const appendsPayout = (login: Login, what: string, recordedAt?: () => Date): Forgery =>
  appendsCommand(login, what, {
    ...{ ...HELD, recordedAt, when: 'a minute and a half later' },
    names: recordedAt ? 'is dated in the future' : 'the ledger has not signed the events from here on',
  });
