/** What `npm run bench` tells a benchmark of the stack that it started for it. @throws Error when it was run without */
export function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this with npm run bench`);
  return value;
}
