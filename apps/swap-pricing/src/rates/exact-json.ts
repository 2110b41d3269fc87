const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON with every number as the text it was written in: 1540.2 → '1540.2'. JSON.parse alone would go through a double,
 * and a rate of 0.1 would no longer be what the source said. Throws a SyntaxError on what isn't JSON.
 */
export function parseWithExactNumbers(json: string): unknown {
  return JSON.parse(json.replace(TEXT_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
}
