/**
 * Draws what an attacker with the owner's rights might do to a log: edit bytes and columns, delete, swap, move or forge
 * rows with matching hashes, cut the tail off. Each case says where the first bad position is.
 */
import { canonicalText, CanonicalValue } from '@stablecoin/event-chain/canonical-text';
import { eventHash, GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { Drawing } from '@stablecoin/testing/drawing';
import { DrivenLog } from './driven-log';

export interface Tampering {
  name: string;
  /** The shard's rows as they are afterwards, in order of position. */
  rows: EventRow[];
  /** Where the first fault must be found, from and to. */
  first: readonly [number, number];
}

const KINDS = [
  'body',
  'hash',
  'recorded_at',
  'account_id',
  'transaction',
  'position',
  'shard',
  'delete',
  'swap',
  'cut off',
  'forge',
  'forge and chain anew',
  'add',
] as const;

/** Makes one change to a sound log that must show in the log or its head. */
export function tamper(log: readonly EventRow[], draw: Drawing): Tampering {
  const kind = KINDS[draw.below(KINDS.length)] as (typeof KINDS)[number];
  const position = 1 + draw.below(log.length);
  const row = log[position - 1] as EventRow;
  const edited = (change: Partial<EventRow>): Tampering => ({
    name: `${kind} at ${position}`,
    rows: log.map((one) => (one === row ? { ...one, ...change } : one)).sort((a, b) => a.position - b.position),
    first: [position, position],
  });
  switch (kind) {
    case 'body':
      return edited({ body: otherByte(row.body, draw) });
    case 'hash':
      return edited({ hash: otherBit(row.hash, draw) });
    case 'recorded_at':
      return edited({ recorded_at: new Date(Date.parse(row.recorded_at) + 1 + draw.below(1e9)).toISOString() });
    case 'account_id':
      return edited({ account_id: row.account_id === null || draw.below(2) === 0 ? 'fees:GBP' : null });
    case 'transaction':
      return edited({ transaction: row.transaction === null || draw.below(2) === 0 ? strangeId(draw) : null });
    case 'position':
      return edited({ position: log.length + 1 + draw.below(100) });
    case 'shard':
      return { ...edited({}), rows: log.filter((one) => one !== row) };
    case 'delete':
      return { ...edited({}), rows: without(log, position, 1 + draw.below(5)) };
    case 'swap':
      return swapped(log, position, 1 + draw.below(log.length));
    case 'cut off':
      return { ...edited({}), rows: log.slice(0, position - 1) };
    case 'forge':
      return { ...forged(log, position, false, draw), name: `${kind} at ${position}` };
    case 'forge and chain anew':
      return { ...forged(log, position, true, draw), name: `${kind} at ${position}` };
    case 'add':
      return added(log);
  }
}

function otherByte(text: string, draw: Drawing): string {
  const bytes = Buffer.from(text);
  const index = draw.below(bytes.length);
  // Another printable byte: Postgres refuses to store a text that is not UTF-8.
  const byte = 0x20 + ((bytes.readUInt8(index) - 0x20 + 1 + draw.below(0x5e)) % 0x5f);
  bytes.writeUInt8(byte, index);
  return bytes.toString();
}

function otherBit(hash: Uint8Array, draw: Drawing): Buffer {
  const bytes = Buffer.from(hash);
  const index = draw.below(bytes.length);
  bytes.writeUInt8(bytes.readUInt8(index) ^ (1 << draw.below(8)), index);
  return bytes;
}

const strangeId = (draw: Drawing) => `0199ffff-0000-7000-8000-${String(draw.below(1e9)).padStart(12, '0')}`;

const without = (log: readonly EventRow[], from: number, count: number) =>
  log.filter(({ position }) => position < from || position >= from + count);

function swapped(log: readonly EventRow[], position: number, drawn: number): Tampering {
  const other = drawn === position ? (position % log.length) + 1 : drawn;
  const [one, two] = [log[position - 1] as EventRow, log[other - 1] as EventRow];
  const rows = log.map((row) => {
    if (row === one) return { ...two, position };
    return row === two ? { ...one, position: other } : row;
  });
  const first = Math.min(position, other);
  return { name: `swap ${position} and ${other}`, rows, first: [first, first] };
}

/**
 * Replaces a text and computes its hash anew. The next hash shows it; where all later hashes are computed anew as well,
 * a broken rule shows it, at the latest the head.
 */
function forged(log: readonly EventRow[], position: number, chained: boolean, draw: Drawing): Omit<Tampering, 'name'> {
  let previous: Uint8Array = log[position - 2]?.hash ?? GENESIS_HASH;
  const rows = log.map((row) => {
    if (row.position < position || (row.position > position && !chained)) return row;
    const body = row.position === position ? otherBody(row.body, draw) : row.body;
    const hash = eventHash(previous, body);
    previous = hash;
    return { ...row, body, hash };
  });
  // The sums of a group are checked at its end, and a fault in them is reported at its first event.
  const { group } = JSON.parse(log[position - 1]?.body ?? '') as { group: number };
  return { rows, first: [group, chained ? log.length : Math.min(position + 1, log.length)] };
}

/** A well-formed but different text: another command, another merchant or a higher amount. */
function otherBody(body: string, draw: Drawing): string {
  const recorded = JSON.parse(body) as Record<string, unknown> & { event: Record<string, unknown> };
  const { event } = recorded;
  const amount = typeof event['amount'] === 'string' ? event['amount'] : undefined;
  if (amount !== undefined && draw.below(2) === 0) event['amount'] = `1${amount}`;
  else recorded[draw.below(2) === 0 ? 'command_id' : 'merchant_id'] = strangeId(draw);
  return canonicalText(recorded as CanonicalValue);
}

/** Adds one more event after the last, with a correct hash. */
function added(log: readonly EventRow[]): Tampering {
  const last = log.at(-1) as EventRow;
  const position = last.position + 1;
  const recorded = { ...(JSON.parse(last.body) as Record<string, unknown>), position, group: position };
  const body = canonicalText(recorded);
  const rows = [...log, { ...last, position, body, hash: eventHash(last.hash, body) }];
  return { name: `add after ${last.position}`, rows, first: [position - 1, position] };
}

/** A log with every kind of command, in an order that the seed decides. */
export function drawnLog(shard: number, commands: number, draw: Drawing): DrivenLog {
  const log = new DrivenLog(shard);
  const [usd, usdc] = [log.openWallet('USD'), log.openWallet('USDC', 'erc20')];
  log.deposit(usd, '100000');
  log.deposit(usdc, '100000');
  const held: string[] = [];
  const seen: string[] = [];
  const credited: string[] = [];
  const steps: (() => void)[] = [
    () => log.deposit(draw.below(2) === 0 ? usd : usdc, `${1 + draw.below(1_000)}`, draw.below(3) > 0),
    () => log.swap('USD', 'USDC', `${1 + draw.below(20)}`, `${1 + draw.below(2)}`),
    () => log.swap('USDC', 'USD', `${1 + draw.below(20)}`, `${1 + draw.below(2)}`),
    () => void held.push(log.holdPayout('USD', `${1 + draw.below(50)}`)),
    () => void held.push(log.holdPayout('USDC', `${1 + draw.below(50)}`, 'erc20')),
    () => held.splice(0, 1).forEach((id) => log.resolvePayout(id, draw.below(2) === 0 ? 'COMPLETED' : 'FAILED')),
    () => void log.openWallet('EUR', null, log.id()),
    () => void seen.push(log.chainDeposit(usdc, `${1 + draw.below(1_000)}`, 'erc20')),
    () => seen.splice(0, 1).forEach((id) => log.deposited(id, 'FailDeposit')),
    () => {
      const [id] = seen.splice(0, 1);
      if (id === undefined) return;
      log.deposited(id, 'ConfirmDeposit');
      credited.push(id);
    },
    () => credited.splice(0, 1).forEach((id) => log.deposited(id, 'ReverseDeposit')),
  ];
  for (let command = 0; command < commands; command += 1) steps[draw.below(steps.length)]?.();
  return log;
}
