import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { filesUnder } from '@stablecoin/local-stack/files';

/**
 * What serving needs beside the files: each text compressed, once, as small as it gets, and the content security policy,
 * with a hash for each of the few scripts that stand in the pages themselves.
 */

/** Read by the gateway (apps/gateway/src/documentation). */
export const POLICY_FILE = 'content-security-policy.txt';

const TEXTS = /\.(html|js|css|json|svg|txt)$/;
/** A file of less fits into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1_000;
const compressedWith = [
  [
    'br',
    (bytes: Buffer) =>
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  ],
  ['gz', (bytes: Buffer) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })],
] as const;

export async function finishSite(folder: string): Promise<void> {
  const texts = filesUnder(relative(process.cwd(), folder), (file) => TEXTS.test(file));
  const pages = texts.filter((file) => file.endsWith('.html')).map((file) => readFileSync(file, 'utf8'));
  await Promise.all(texts.map(compress));
  writeFileSync(join(folder, POLICY_FILE), policyOf(pages));
}

async function compress(file: string): Promise<void> {
  const bytes = readFileSync(file);
  if (bytes.length < COMPRESSED_FROM_BYTES) return;
  for (const [ending, compressed] of compressedWith) writeFileSync(`${file}.${ending}`, await compressed(bytes));
}

/** Nothing from another host, and no script but the site's own files and the ones in its pages, by their hashes. */
export function policyOf(pages: readonly string[]): string {
  const hashes = new Set(pages.flatMap(inlineScripts).map((script) => `'sha256-${sha256Of(script)}'`));
  return [
    "default-src 'none'",
    `script-src 'self' ${[...hashes].sort().join(' ')}`,
    "style-src 'self'",
    // Highlighted code carries its colours in attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(([, script = '']) => script);

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('base64');
