// Names the sources in stack traces of one bundled file. Node does so too (--enable-source-maps), but reads and keeps every
// map at the start; this reads the map when the first trace is asked for.

import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { dirname, resolve } from 'node:path';

export function nameSources(file: string): void {
  let map: SourceMap | undefined;
  const read = () => (map ??= new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload));
  Error.prepareStackTrace = (error, sites) =>
    [titleOf(error), ...sites.map((site) => `    at ${placeOf(site, file, read)}`)].join('\n');
}

function titleOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error'; // A name or a message whose getter throws.
  }
}

function placeOf(site: NodeJS.CallSite, file: string, read: () => SourceMap): string {
  const text = (site as { toString: () => string }).toString();
  const [line, column] = [site.getLineNumber(), site.getColumnNumber()];
  if (site.getFileName() !== file || line === null || column === null) return text;
  try {
    const found = read().findEntry(line - 1, column - 1);
    if (!('originalSource' in found) || !found.originalSource) return text;
    const source = resolve(dirname(file), found.originalSource);
    return text.replace(`${file}:${line}:${column}`, `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`);
  } catch {
    return text; // Without its map a trace still has the bundle's lines.
  }
}
