/** The result of a command: printed as text for people, or as one JSON object for machines. */
export interface Report {
  /** Whether all is well; if not, the exit code is `finding`. */
  ok: boolean;
  json: Record<string, unknown>;
  text: string;
}

export const EXIT = { ok: 0, finding: 1, failure: 2 } as const;

/** Ends a command with one line that says what to do. */
export class AuditFailure extends Error {
  constructor(
    message: string,
    /** `finding` for an answer that is no; `failure` for wrong usage or an outage. */
    readonly exitCode: (typeof EXIT)['finding' | 'failure'] = EXIT.failure,
  ) {
    super(message);
  }
}

export const grouped = (count: number) => count.toLocaleString('en');

export const counted = (count: number, thing: string) => `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;

/** Columns as wide as their widest cell; the last one as it is. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
