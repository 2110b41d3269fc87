import { createHash, randomUUID } from 'node:crypto';

/** The gateway's part of a command: a fresh id, and the hash of what was asked for. */
export function commandOf<Body extends object>(body: Body, commandId: string = randomUUID()) {
  const input_hash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  return { ...body, command_id: commandId, input_hash };
}
