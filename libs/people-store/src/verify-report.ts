/** What `verify --json` of the auditor prints, as far as the console shows it; the rest of it is kept and handed out as it is. */
export interface VerifyReport {
  ok: boolean;
  events: number;
  seconds: number;
  /** Each problem, one sentence. */
  findings: string[];
  what_to_do: string[];
}

/** Of the text that was printed: more is no report that a page can show. */
export const REPORT_BYTES_MAX = 5 * 1024 * 1024;

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Undefined for what no auditor has printed. */
export function verifyReportOf(value: unknown): VerifyReport | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { ok, events, seconds, findings, what_to_do } = value as Record<string, unknown>;
  const isReport =
    typeof ok === 'boolean' && isCount(events) && isCount(seconds) && isTexts(findings) && isTexts(what_to_do);
  // A verdict and its findings go together: a report that has one without the other is believed for neither.
  return isReport && ok === (findings.length === 0) ? (value as VerifyReport) : undefined;
}
