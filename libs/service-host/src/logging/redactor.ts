/**
 * Removes from texts what must not be in a log. The rule is not to log it in the first place, which tests with planted
 * canaries check; this is the second barrier, for what libraries put into their errors.
 */
const HIDDEN = '[hidden]';

/** Recognised by its form anywhere, also within a line of JSON. */
const ANYWHERE: readonly [hint: string, pattern: RegExp, replacement: string][] = [
  ['sk_', /\bsk_(?:test|live)_[\x21\x23-\x5b\x5d-\x7e]+/g, `sk_${HIDDEN}`],
  ['://', /:\/\/[^\s/@"\\]*@/g, `://${HIDDEN}@`],
  ['@', /[\w.+%-]+@[\w-]+(?:\.[\w-]+)+/g, HIDDEN],
];

/** In texts that others wrote: messages of errors, which may quote values. Not in ids, which may look like numbers. */
const IN_MESSAGES: readonly [pattern: RegExp, replacement: string][] = [
  // Phone, account and tax numbers.
  [/(?<![\w-]|\d\.)\+?\d{9,}(?![\w-]|\.\d)/g, HIDDEN],
  // Documents, keys, sealed values.
  [/[A-Za-z0-9+/_-]{120,}={0,2}/g, HIDDEN],
  // Postgres quotes the value that it refused.
  [/(Key \([^)]*\)=)\([^)]*\)/g, `$1(${HIDDEN})`],
  [/(Failing row contains )\(.*\)/g, `$1(${HIDDEN})`],
  [/(invalid input (?:syntax|value) for [\w ]+: )\\?"[^"]*"/g, `$1${HIDDEN}`],
  // Node quotes the text that is no JSON.
  [/"[^]{0,60}"(?:\.\.\.)? is not valid JSON/g, `${HIDDEN} is not valid JSON`],
];

/** Shorter ones would be found in ordinary words. */
const SHORTEST_SECRET = 8;

export class Redactor {
  private readonly secrets: readonly string[];

  /** @param secrets this process's own: keys, connection strings with their passwords */
  constructor(secrets: readonly string[] = []) {
    const texts = secrets.flatMap((secret) => [secret, ...passwordsOf(secret)]);
    // As they would stand in JSON, the longest first: one may be a part of another.
    this.secrets = [...new Set(texts.map((text) => JSON.stringify(text).slice(1, -1)))]
      .filter(({ length }) => length >= SHORTEST_SECRET)
      .sort((one, other) => other.length - one.length);
  }

  /** For texts of ours that quote no one else's values: their examples look like secrets and are meant to be read. */
  inOwnWords(text: string): string {
    let clean = text;
    for (const secret of this.secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, HIDDEN);
    return clean;
  }

  /** For every line, so it looks for a fixed hint before it runs a pattern. */
  inLine(line: string): string {
    let clean = this.inOwnWords(line);
    for (const [hint, pattern, replacement] of ANYWHERE) {
      if (clean.includes(hint)) clean = clean.replace(pattern, replacement);
    }
    return clean;
  }
}

/** For the texts of errors. */
export function withoutValues(text: string): string {
  return IN_MESSAGES.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text);
}

function passwordsOf(secret: string): string[] {
  return secret.split(',').flatMap((part) => {
    if (!URL.canParse(part)) return [];
    const { password } = new URL(part);
    return [password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
