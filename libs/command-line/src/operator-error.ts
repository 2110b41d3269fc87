/** An expected failure of a command: its message is all that a person reads, so it names the cause and the way out. */
export class OperatorError extends Error {}
