interface Line {
  time: string;
  request_id?: string;
}

/** Undefined for other text than a service's line: of a database, or of a process that was killed while it wrote. */
export function parsedLine(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const line = JSON.parse(text) as Partial<Line>;
    return typeof line.time === 'string' ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

export const timeOf = (text: string): string | undefined => parsedLine(text)?.time;
