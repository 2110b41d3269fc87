/** The code of an error of Node (ENOENT), of Postgres (55P03) or of a connection; undefined when it has none. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
