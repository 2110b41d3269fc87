/** Progress goes to stderr, so that stdout holds nothing but the result. */
export function progress(text: string): void {
  process.stderr.write(`  ${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
