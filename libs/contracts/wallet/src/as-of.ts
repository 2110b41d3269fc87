import { isDay } from '@stablecoin/contracts/wire/fields/date';
import { field } from '@stablecoin/contracts/wire/fields/field';

const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const POSITION = /^(0|[1-9]\d{0,14})$/;
const LENGTH_MAX = 40;

/** A moment of the ledger: a time in UTC with milliseconds, or a position in a shard's log. Both include themselves. */
export type Moment = { time: string } | { position: number };

/** A position, or a time with its zone. Fractions finer than the log's milliseconds are cut off. */
export function parseMoment(text: string): Moment | undefined {
  if (POSITION.test(text)) return { position: Number(text) };
  const [, day] = (text.length <= LENGTH_MAX && TIME.exec(text)) || [];
  const time = new Date(text);
  // The platform takes February 30 for a day in March.
  return day === undefined || Number.isNaN(time.getTime()) || !isDay(day) ? undefined : { time: time.toISOString() };
}

export function IsMoment(): PropertyDecorator {
  return field({
    name: 'isMoment',
    code: 'invalid_moment',
    message: 'must be a time with its zone, such as 2026-11-21T12:00:00Z, or a position in the log',
    schema: { type: 'string', maxLength: LENGTH_MAX },
    check: (value) => typeof value === 'string' && parseMoment(value) !== undefined,
  });
}
