import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface Line {
  time: string;
  request_id?: string;
}

/** The lines of a request in all logs of a folder, in the order of time. Files are read line by line, whatever their size. */
export async function linesOfRequest(folder: string, requestId: string): Promise<string[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.log'));
  const found = await Promise.all(files.map((name) => linesIn(join(folder, name), requestId)));
  return found
    .flat()
    .sort((one, other) => one.time.localeCompare(other.time))
    .map(({ text }) => text);
}

async function linesIn(file: string, requestId: string): Promise<{ time: string; text: string }[]> {
  const found: { time: string; text: string }[] = [];
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const line = text.includes(requestId) ? parsed(text) : undefined;
    if (line?.request_id === requestId) found.push({ time: line.time, text });
  }
  return found;
}

/** Undefined for a line that is no JSON: of a database, or of a process that was killed while it wrote. */
export function parsed(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Partial<Line>;
    return typeof line.time === 'string' ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}
