/**
 * A write, in its two calls.
 *
 * Without `confirmation_token` nothing is executed. A swap and a payout are sent with `dry_run`, so that the service itself says how they
 * would end; of the other writes, what would be sent is shown. With the token of that preview the write is executed, under the
 * Idempotency-Key of the token. Where the client can ask the person at it (elicitation), the person is asked before that: a model that
 * was talked into both calls does not get past.
 */

import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Stablecoin, StablecoinCallError } from 'stablecoin-sdk';
import { callOperation, OperationDescription, OperationInput } from 'stablecoin-sdk/operations';
import { answerOf, boundedAnswer } from '../tools/tool-answer';
import { DRY_RUN, takesDryRun } from '../tools/input-schema';
import { toolName } from '../tools/tool-operations';
import { ConfirmationError, Confirmations } from './confirmations';

const ASKING_TIMEOUT_MS = 4 * 60_000;

export interface WriteContext {
  client: Stablecoin;
  server: McpServer;
  confirmations: Confirmations;
}

export interface WriteCall {
  operation: OperationDescription;
  /** As the model gave them, less the token. */
  given: Readonly<Record<string, unknown>>;
  input: OperationInput;
}

export async function preview({ client, confirmations }: WriteContext, call: WriteCall): Promise<CallToolResult> {
  const { operation, given, input } = call;
  const dryRun = takesDryRun(operation)
    ? { dry_run: await callOperation(client, operation, { ...input, params: { ...input.params, [DRY_RUN]: true } }) }
    : {};
  const { token, expires_at } = confirmations.issue(toolName(operation), given);
  return answerOf({
    executed: false,
    would_send: { method: operation.httpMethod, path: operation.path, arguments: given },
    ...dryRun,
    confirmation_token: token,
    expires_at,
    next: 'Nothing was done. Show this to the person. Only if they agree, call again with the same arguments and this token.',
  });
}

/** @throws ConfirmationError, StablecoinCallError */
export async function execute(context: WriteContext, call: WriteCall, token: string): Promise<CallToolResult> {
  const { client, confirmations } = context;
  const { operation, given, input } = call;
  const idempotencyKey = confirmations.redeem(token, toolName(operation), given);
  await askPerson(context, call, token);
  try {
    const { data, requestId, replayed } = await callOperation(client, operation, input, {
      idempotencyKey,
    }).withAnswer();
    return boundedAnswer({ executed: true, data: data ?? null, request_id: requestId, ...(replayed && { replayed }) });
  } catch (error) {
    if (error instanceof StablecoinCallError && !error.outcomeUnknown) confirmations.end(token);
    throw error;
  }
}

/** @throws ConfirmationError when the person says no, or nothing */
async function askPerson(
  { server, confirmations }: WriteContext,
  { operation, given }: WriteCall,
  token: string,
): Promise<void> {
  if (server.server.getClientCapabilities()?.elicitation === undefined) return;
  const message = `${operation.summary}? ${operation.httpMethod} ${operation.path} ${JSON.stringify(given)}`;
  const requestedSchema = {
    type: 'object' as const,
    properties: { execute: { type: 'boolean' as const, title: 'Do it', default: false } },
    required: ['execute'],
  };
  const { action, content } = await server.server.elicitInput(
    { message, requestedSchema },
    { timeout: ASKING_TIMEOUT_MS },
  );
  if (action === 'accept' && content?.['execute'] === true) return;
  confirmations.end(token);
  throw new ConfirmationError('declined', 'The person declined. Nothing was done.');
}
