const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Parses JSON and keeps every number as its text: 1540.2 → '1540.2'. JSON.parse alone would round it to a double, and a
 * rate of 0.1 would no longer be the source's. Throws a SyntaxError for text that isn't JSON.
 */
export function parseWithExactNumbers(json: string): unknown {
  return JSON.parse(json.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
