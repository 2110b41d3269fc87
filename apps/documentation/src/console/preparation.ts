import type { ConsoleOperation, Filled } from './console-operation';
import { missingOf } from './console-operation';
import { type KnownIds, thingsOf } from './known-ids';
import { type ConsoleAnswer, parsed, valueAt } from './requests';
import { REMEDIES, type Step, THINGS, type ThingName, type Way } from './things.table';

/**
 * Fills in the ids that an operation must name: from this tab, from a list, or made (things.table.ts says when). One
 * list, then at most a handful of steps; an event and a checkpoint come after their cause, so their list is asked again.
 */

export interface SentBefore {
  operationId: string;
  status: number;
  /** Of a refusal. */
  code?: string;
}

export interface Prepared {
  parameters: Record<string, string>;
  sent: SentBefore[];
  /** The parameters that stay empty: the reader fills them in. */
  missing: string[];
}

export interface Surroundings {
  operations: ReadonlyMap<string, ConsoleOperation>;
  knownIds: KnownIds;
  /** Only a test key makes what is missing. */
  mayMake: boolean;
  ask: (operation: ConsoleOperation, filled: Filled) => Promise<ConsoleAnswer>;
  newKey: () => string;
  pause: (milliseconds: number) => Promise<void>;
}

const ASKED_AGAIN_MAX = 40;
const ASKED_AGAIN_MS = 250;

export async function prepare(operation: ConsoleOperation, given: Filled['parameters'], around: Surroundings) {
  const preparation = new Preparation(around);
  const prepared: Prepared = { parameters: { ...given }, sent: preparation.sent, missing: [] };
  const things = thingsOf(operation.operationId);
  for (const name of missingOf(operation, given)) {
    const thing = things[name];
    const id = thing === undefined ? undefined : await preparation.idOf(thing);
    if (id === undefined) prepared.missing.push(name);
    else prepared.parameters[name] = id;
  }
  return prepared;
}

/**
 * Sends the operation; with a test key and a body of the document, what a refusal says is missing is made, and the
 * operation sent again. A refusal uses up no Idempotency-Key.
 */
export async function sendWithRemedies(
  operation: ConsoleOperation,
  filled: Filled,
  sendIt: () => Promise<ConsoleAnswer>,
  around: Surroundings,
): Promise<{ answer: ConsoleAnswer; sent: SentBefore[] }> {
  const preparation = new Preparation(around);
  const isShown = operation.bodies.some(({ value }) => JSON.stringify(value) === JSON.stringify(parsed(filled.body)));
  for (const left = new Map(Object.entries(REMEDIES)); ;) {
    const answer = await sendIt();
    const code = String(valueAt(answer.body, ['code']));
    const steps = left.get(code);
    if (steps === undefined || !isShown || !around.mayMake) return { answer, sent: preparation.sent };
    left.delete(code);
    preparation.sent.push({ operationId: operation.operationId, status: answer.status, code });
    for (const step of steps) await preparation.take(step);
  }
}

class Preparation {
  readonly sent: SentBefore[] = [];
  /** One of each thing is enough for one operation. */
  private readonly ids = new Map<ThingName, string>();

  constructor(private readonly around: Surroundings) {}

  async idOf(name: ThingName): Promise<string | undefined> {
    const id =
      this.ids.get(name) ?? this.around.knownIds.of(name) ?? (await this.found(name)) ?? (await this.made(name));
    if (id !== undefined) this.ids.set(name, id);
    return id;
  }

  private async found(name: ThingName): Promise<string | undefined> {
    const { foundBy } = THINGS[name];
    if (foundBy === undefined) return undefined;
    const { operation, query, at } = foundBy;
    const answer = await this.ask(operation, { parameters: query, body: '', idempotencyKey: '' });
    return textAt(answer.body, at);
  }

  private async made(name: ThingName): Promise<string | undefined> {
    const { steps, madeBy } = THINGS[name];
    if (!this.around.mayMake || steps.length === 0) return undefined;
    let made: string | undefined;
    for (const step of steps) {
      const answer = await this.take(step, made);
      if (answer === undefined) return undefined;
      made = textAt(answer.body, step.gives ?? madeBy[step.operation]);
    }
    return made ?? this.foundLater(name);
  }

  /** Sends a step; undefined when it was refused, which the reader sees. */
  async take(step: Step, made?: string): Promise<ConsoleAnswer | undefined> {
    const { operation, changes = {}, drawn = [], unless, naming } = step;
    const example = this.operation(operation).bodies[step.example ?? 0];
    const body = { ...(example?.value as object | undefined), ...changes, ...drawnFields(drawn, this.around.newKey()) };
    const parameters = naming === undefined || made === undefined ? {} : { [naming]: made };
    const answer = await this.ask(operation, {
      parameters,
      body: example === undefined ? '' : JSON.stringify(body),
      idempotencyKey: this.around.newKey(),
    });
    const isThere = unless !== undefined && valueAt(answer.body, ['code']) === unless;
    return answer.status < 300 || isThere ? answer : undefined;
  }

  private async foundLater(name: ThingName): Promise<string | undefined> {
    if (THINGS[name].foundBy === undefined) return undefined;
    for (let asked = 0; asked < ASKED_AGAIN_MAX; asked += 1) {
      const id = await this.found(name);
      if (id !== undefined) return id;
      await this.around.pause(ASKED_AGAIN_MS);
    }
    return undefined;
  }

  private async ask(operationId: string, filled: Filled): Promise<ConsoleAnswer> {
    const operation = this.operation(operationId);
    const answer = await this.around.ask(operation, filled);
    if (answer.status < 300) this.around.knownIds.note(operationId, answer.body);
    const code = valueAt(answer.body, ['code']);
    this.sent.push({ operationId, status: answer.status, ...(typeof code === 'string' && { code }) });
    return answer;
  }

  private operation(operationId: string): ConsoleOperation {
    const operation = this.around.operations.get(operationId);
    if (operation === undefined) throw new Error(`there is no operation ${operationId}`);
    return operation;
  }
}

function textAt(body: unknown, way: Way | undefined): string | undefined {
  const value = way === undefined ? undefined : valueAt(body, way);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Fields that no two customers share. */
function drawnFields(names: NonNullable<Step['drawn']>, key: string): Record<string, string> {
  const digits = [...key.replace(/\W/g, '')].map((letter) => letter.charCodeAt(0) % 10).join('');
  const fields = { email: `ada.${key}@example.com`, phone: `+234${digits.slice(0, 10)}` };
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}
