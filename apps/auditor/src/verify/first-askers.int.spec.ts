/** From when on every command must name who asked for it, on a ledger of two shards. */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { withAskers } from '@stablecoin/ledger-log/testing/asked-log';
import { AuditedDatabase, auditedDatabase } from '../testing/audited-database';
import { DrivenLog, eventfulLog } from '@stablecoin/ledger-log/testing/driven-log';
import { verify } from './verify';

let database: AuditedDatabase | undefined;
afterEach(() => database?.drop());

const bare = ({ asked_by: _, ...nameless }: RecordedEvent): RecordedEvent => nameless;

/** @param isNameless of the events by their place: which name no asker */
function logWith(
  shard: number,
  isNameless: (index: number, log: DrivenLog) => boolean,
  { hoursLater = 0 } = {},
): DrivenLog {
  const log = eventfulLog(shard);
  const at = ({ recorded_at }: RecordedEvent) => new Date(Date.parse(recorded_at) + hoursLater * 3_600_000);
  const asked = withAskers(log.events.map((one) => ({ ...one, recorded_at: at(one).toISOString() })));
  log.events.splice(0, asked.length, ...asked.map((one, index) => (isNameless(index, log) ? bare(one) : one)));
  return log;
}

const always = () => false;
const never = () => true;
const fromTheMiddleOn = (index: number, { events }: DrivenLog) =>
  (events[index]?.group ?? 0) > (events[Math.floor(events.length / 2)]?.group ?? 0);
const toTheMiddle = (index: number, log: DrivenLog) => !fromTheMiddleOn(index, log);

async function faultsOf(...logs: DrivenLog[]) {
  database = await auditedDatabase(logs);
  const { shards } = await database.audit((ledger) => verify(ledger));
  return shards.map(({ fault }) => fault?.problem ?? null);
}

const FOUND = 'names no service that asked for it';

it('a ledger that was upgraded has a day, in each of its shards', async () => {
  expect(await faultsOf(logWith(0, toTheMiddle), logWith(1, fromTheMiddleOn, { hoursLater: 1 }))).toEqual([null, null]);
});

it('a ledger whose first command names its asker has none', async () => {
  expect(await faultsOf(logWith(0, always), logWith(1, fromTheMiddleOn))).toEqual([null, FOUND]);
});

it('nor has a new shard of such a ledger, in which nothing names its asker', async () => {
  expect(await faultsOf(logWith(0, always), logWith(1, never, { hoursLater: 1 }))).toEqual([null, FOUND]);
});

it('and a ledger of a version before says nothing of it', async () => {
  expect(await faultsOf(logWith(0, never), logWith(1, never))).toEqual([null, null]);
});
