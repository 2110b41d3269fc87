import { join } from 'node:path';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { ROOT } from '@stablecoin/command-line/root';

/** A text as `prettier --write` would leave it at this path; unchanged where prettier ignores the file. */
export async function formatted(path: string, text: string): Promise<string> {
  const { ignored, inferredParser } = await getFileInfo(path, { ignorePath: join(ROOT, '.prettierignore') });
  if (ignored || inferredParser === null) return text;
  return format(text, { ...(await resolveConfig(path)), parser: inferredParser });
}
