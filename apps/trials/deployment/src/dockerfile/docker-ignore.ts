// Which files .dockerignore keeps from the build: the last pattern that matches a path, or a folder above it, decides.

/** Returns whether a path (relative, with slashes) is given to the build. */
export function ignoreRules(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({
      keeps: line.startsWith('!'),
      pattern: patternOf(line.replace(/^!/, '').replace(/^\/|\/$/g, '')),
    }));
  return (path) => {
    const parts = path.split('/');
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = rules.findLast(({ pattern }) => prefixes.some((prefix) => pattern.test(prefix)));
    return last === undefined || last.keeps;
  };
}

const WILDCARDS: Record<string, string> = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]' };

function patternOf(text: string): RegExp {
  const source = text
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (wildcard) => WILDCARDS[wildcard] ?? '');
  return new RegExp(`^${source}$`);
}
