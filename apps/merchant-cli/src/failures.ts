/**
 * How a command ends without a result. Its exit code says what a script may do next: after 1 nothing, the service refused; after 2
 * correct the command; after 3 send the same again, with the same Idempotency-Key, since it may have taken effect.
 */

import { CommanderError } from 'commander';
import { StablecoinApiError, StablecoinCallError, StablecoinError } from 'stablecoin-sdk';
import { printable } from './output/printable';

export const EXIT_CODES = { done: 0, refused: 1, wrongUsage: 2, noAnswer: 3 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

/** What the person at the terminal can mend: the message says how. */
export class UsageError extends Error {}

/** What was begun did not show its end in time: what was done stands, and its result is to be looked up. */
export class NotSeenError extends Error {}

/** A failure as people and programs get it. */
export interface Failure {
  exitCode: ExitCode;
  code: string;
  message: string;
  /** The fields that were refused. */
  errors?: readonly { field: string; code: string; message: string }[];
  request_id?: string;
  idempotency_key?: string;
  /** Whether the call may have taken effect. */
  outcome_unknown?: boolean;
}

/** Undefined for what is no expected failure: a bug, which shows its stack. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof StablecoinCallError) return failedCall(error);
  if (error instanceof UsageError || error instanceof StablecoinError) {
    return { exitCode: EXIT_CODES.wrongUsage, code: 'wrong_usage', message: error.message };
  }
  if (error instanceof NotSeenError) return { exitCode: EXIT_CODES.noAnswer, code: 'not_seen', message: error.message };
  if (error instanceof CommanderError) {
    // Commander has written its own message by now.
    return { exitCode: error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.wrongUsage, code: error.code, message: '' };
  }
  return undefined;
}

function failedCall(error: StablecoinCallError): Failure {
  const refusal = error instanceof StablecoinApiError ? error : undefined;
  const isRefused = refusal !== undefined && !error.outcomeUnknown;
  return {
    exitCode: isRefused ? EXIT_CODES.refused : EXIT_CODES.noAnswer,
    code: refusal?.code ?? 'no_answer',
    message: error.message,
    ...(refusal !== undefined && refusal.errors.length > 0 && { errors: refusal.errors }),
    request_id: error.requestId,
    outcome_unknown: error.outcomeUnknown,
    ...(error.outcomeUnknown && { idempotency_key: error.idempotencyKey }),
  };
}

/** For people; as one JSON line for programs. Both go to stderr: stdout has results and nothing else. */
export function failureText(failure: Failure, json: boolean): string {
  const { exitCode, ...shown } = failure;
  if (json) return `${JSON.stringify({ error: { ...shown, exit_code: exitCode } })}\n`;
  const { code, message, errors = [], request_id, idempotency_key, outcome_unknown } = failure;
  const lines = [
    code === 'wrong_usage' ? message : `${message} (${code})`,
    ...errors.map((error) => `  ${error.field}: ${error.message} (${error.code})`),
    ...(request_id === undefined ? [] : [`Request ${request_id}`]),
    ...(outcome_unknown === true && idempotency_key !== undefined ? [repeatText(idempotency_key)] : []),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

const repeatText = (key: string): string =>
  `It may have taken effect. Repeat the same command with --idempotency-key ${key}: together they take effect once.`;
