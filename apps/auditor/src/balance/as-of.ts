import { Moment, parseMoment } from '@stablecoin/contracts/wallet/as-of';
import { AuditFailure } from '../report/report';

/** A position, or a time with its zone. Fractions finer than the log's milliseconds are cut off. */
export function parseAsOf(text: string): Moment {
  const moment = parseMoment(text);
  if (moment) return moment;
  throw new AuditFailure(`--as-of takes a position, or a time with its zone such as 2026-11-21T12:00:00Z.`);
}
