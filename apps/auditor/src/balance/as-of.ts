import { AsOf } from '@stablecoin/ledger-store/history';
import { AuditFailure } from '../command-line/report';

const TIME = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;
const POSITION = /^(0|[1-9]\d{0,14})$/;

/** A position, or a time with its zone. Fractions finer than the log's milliseconds are cut off. */
export function parseAsOf(text: string): AsOf {
  if (POSITION.test(text)) return { position: Number(text) };
  const [, day, minute] = TIME.exec(text) ?? [];
  const time = new Date(text);
  if (!day || !minute || Number.isNaN(time.getTime()) || !isRealDay(day)) {
    throw new AuditFailure(`--as-of takes a position, or a time with its zone such as 2026-11-21T12:00:00Z.`);
  }
  return { time: time.toISOString() };
}

/** The platform takes February 30 for a day in March. */
function isRealDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
