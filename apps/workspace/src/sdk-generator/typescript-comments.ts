export const GENERATED_HEAD = '// Written by npm run docs, from docs/openapi.json.\n';

/** A comment of these lines, on one line where it fits; empty ones part paragraphs. */
export function docComment(lines: readonly string[]): string {
  const text = lines.flatMap((line) => line.split('\n')).map((line) => line.replaceAll('*/', '*\\/'));
  if (text.length === 0) return '';
  const [only = ''] = text;
  if (text.length === 1) return `/** ${only} */\n`;
  return `/**\n${text.map((line) => (line === '' ? ' *' : ` * ${line}`)).join('\n')}\n */\n`;
}

export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);
