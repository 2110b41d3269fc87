const WORDS = new Set([
  'and',
  'or',
  'unless',
  'by',
  'without',
  'on',
  'ignoring',
  'offset',
  'bool',
  'group_left',
  'group_right',
]);
const GROUPED = /\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g;
const MATCHED = /([a-z_]\w*)\s*(?:=~|!~|!=|=)\s*"[^"]*"/gi;

/** The metrics and the labels that a PromQL expression names. */
export function metricsIn(expression: string): { names: string[]; labels: string[] } {
  const matched = [...expression.matchAll(MATCHED)].map(([, label]) => label as string);
  const grouped = [...expression.matchAll(GROUPED)].flatMap(([, list]) =>
    (list as string).split(',').map((label) => label.trim()),
  );
  const bare = expression
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(GROUPED, ' ')
    .replace(/\boffset\s+\w+/g, ' ');
  const names = [...bare.matchAll(/(?<![\w.])([a-z_:][\w:]*)\s*(\(?)/gi)]
    .filter(([, word, call]) => call === '' && !WORDS.has(word as string))
    .map(([, word]) => word as string);
  return { names, labels: [...new Set([...matched, ...grouped])].filter((label) => label !== '') };
}
