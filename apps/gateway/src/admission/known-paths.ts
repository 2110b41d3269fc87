interface KnownPath {
  pattern: RegExp;
  methods: Set<string>;
}

/** Which methods each path takes, for the 405 of a path that exists with another method. */
export class KnownPaths {
  private readonly paths = new Map<string, KnownPath>();

  /** @param url the router's pattern, such as `/api/wallets/:wallet_id` */
  add(method: string | readonly string[], url: string): void {
    const known = this.paths.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const name of [method].flat()) known.methods.add(name);
    this.paths.set(url, known);
  }

  /** The methods that a concrete path takes, sorted; none for a path without a route. */
  methodsOf(path: string): string[] {
    const matching = [...this.paths.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(matching.flatMap(({ methods }) => [...methods]))].sort();
  }
}

function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment === '*') return '.*';
    return segment.startsWith(':') ? '[^/]+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
