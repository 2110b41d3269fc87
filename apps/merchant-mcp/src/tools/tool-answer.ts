// What a tool answers: one JSON text, no longer than a model can do something with.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { StablecoinApiError, StablecoinCallError } from 'stablecoin-sdk';

const CHARACTERS_MAX = 40_000;

export const answerOf = (value: object): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
});

/** A list without the rows that are too many, and with how many those are. */
export function boundedAnswer(value: { data: unknown; [fact: string]: unknown }): CallToolResult {
  const isShort = (each: object) => JSON.stringify(each).length <= CHARACTERS_MAX;
  if (isShort(value)) return answerOf(value);
  const { data } = value;
  if (!Array.isArray(data)) {
    return toolError({
      code: 'answer_too_long',
      message: 'The answer is too long for a tool: use the SDK or the command line.',
    });
  }
  let kept: unknown[] = data;
  while (kept.length > 0 && !isShort({ ...value, data: kept })) kept = kept.slice(0, Math.floor(kept.length / 2));
  return answerOf({
    ...value,
    data: kept,
    rows_left_out: data.length - kept.length,
    hint: 'Ask with a smaller limit.',
  });
}

export interface ToolError {
  code: string;
  message: string;
  [fact: string]: unknown;
}

export const toolError = (error: ToolError): CallToolResult => ({ ...answerOf({ error }), isError: true });

/** An expected failure of a call; undefined for a bug. */
export function errorAnswer(error: unknown): CallToolResult | undefined {
  if (!(error instanceof StablecoinCallError)) return undefined;
  const refusal = error instanceof StablecoinApiError ? error : undefined;
  return toolError({
    code: refusal?.code ?? 'no_answer',
    message: error.message,
    ...(refusal !== undefined && refusal.errors.length > 0 && { errors: refusal.errors }),
    request_id: error.requestId,
    ...(error.outcomeUnknown && {
      outcome_unknown: true,
      idempotency_key: error.idempotencyKey,
      hint: 'It may have taken effect. Call again with the same arguments and the same confirmation_token, or look it up.',
    }),
  });
}
