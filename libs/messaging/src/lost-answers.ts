/**
 * How an answering program reports answers that did not reach their callers: it names the calls in a message to the
 * caller's inbox, and the caller sends those that it still waits for again. A broker forgets on a reload whom a program
 * may answer, and refuses the answers to what was asked before; a connection that is made anew loses those on the way.
 */
export interface LostAnswers {
  call_ids: string[];
}

/**
 * The subject on which a caller hears of lost answers, by the first token of its inboxes (`_INBOX_gateway`). Its user may
 * subscribe to all that begins with it; those that answer it may publish to this one subject and to no other.
 */
export const lostAnswersSubject = (inbox: string): string => `${inbox}.answers-lost`;

/** The first token of a reply's subject. */
export const inboxOfReply = (replySubject: string): string => replySubject.split('.', 1)[0] ?? '';

export function isLostAnswers(value: unknown): value is LostAnswers {
  const { call_ids } = { ...(value as Partial<LostAnswers> | null) };
  return Array.isArray(call_ids) && call_ids.every((id) => typeof id === 'string');
}
