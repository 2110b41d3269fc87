import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parsedLine } from './log-line';

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
    const line = text.includes(requestId) ? parsedLine(text) : undefined;
    if (line?.request_id === requestId) found.push({ time: line.time, text });
  }
  return found;
}
