/** Times are shown in the person's zone, or in UTC, as the person chose; the other one is always at hand. */
export type Zone = 'local' | 'UTC';

const zoneName = (zone: Zone) => (zone === 'UTC' ? 'UTC' : undefined);

const FORMATS = {
  minute: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  second: {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
  },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
export type TimeStyle = keyof typeof FORMATS;

/** @param timeZone of a test; by default the person's */
export function formatTime(iso: string, style: TimeStyle, zone: Zone, timeZone?: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return iso;
  const format = { ...FORMATS[style], hourCycle: 'h23' as const, timeZone: zoneName(zone) ?? timeZone };
  return new Intl.DateTimeFormat('en-GB', format).format(moment);
}

/** What a person wrote into a field of date and time, as a moment; undefined for what is none. */
export function momentOf(written: string, zone: Zone): string | undefined {
  const moment = new Date(zone === 'UTC' ? `${written}Z` : written);
  return written === '' || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** The full moment in both, for a tooltip. */
export const bothZones = (iso: string): string => `${formatTime(iso, 'second', 'local')} · ${utcText(iso)}`;

export const utcText = (iso: string): string => {
  const moment = new Date(iso);
  return Number.isNaN(moment.getTime()) ? iso : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
};

/** The person's zone by its city and what it is off UTC now. */
export function localZone(at = new Date()): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const city = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return city;
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${city} (UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`})`;
}
