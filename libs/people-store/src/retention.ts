/** How long a link or a session that has expired can still be looked up beside the acts that name it. */
export const KEPT_DAYS = 30;
