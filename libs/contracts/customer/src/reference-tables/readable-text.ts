/** How a code reads in a response: PERSONAL_OR_LIVING_EXPENSES → 'Personal or living expenses'. */
export function readableText(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * The code of a closed set that a text means: the code itself or its readable text, letter for letter; else undefined.
 * So a merchant can send back the text of a response.
 */
export function codeFromReadableText<Code extends string>(codes: readonly Code[], text: string): Code | undefined {
  return codes.find((code) => code === text || readableText(code) === text);
}
