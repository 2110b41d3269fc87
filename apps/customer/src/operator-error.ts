/** What an operator asked for on the command line can't be done; the message says why, in one line. */
export class OperatorError extends Error {}
