/** What the back office answers instead of what was asked for, and what a person can do about it. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
  ) {
    super(message);
  }

  /** The same question may be answered a moment later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Nothing was answered: the network, or the back office, is away. */
export const unreachable = () =>
  new Refusal(0, 'unreachable', 'The back office does not answer. Check your connection, then try again.', null);

/** Said before anything is asked: the back office would refuse it. */
export const notForRole = () => new Refusal(403, 'not_allowed', 'Your role may not do that.', null);

/** @param body as parsed from the answer, of any shape: a proxy answers in its own words */
export function refusalOf(status: number, body: unknown): Refusal {
  const { code, message, request_id, errors } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  return new Refusal(
    status,
    typeof code === 'string' ? code : `http_${status}`,
    sentenceOf(errors) ?? (typeof message === 'string' ? message : 'The back office could not answer this.'),
    typeof request_id === 'string' ? request_id : null,
  );
}

/** What is wrong with which field, where the back office says so. */
function sentenceOf(errors: unknown): string | undefined {
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  const told = (errors as Partial<Record<'field' | 'message', string>>[]).map(
    ({ field = '', message = '' }) => `${field.replaceAll('_', ' ')} ${message}`,
  );
  const text = told.join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
