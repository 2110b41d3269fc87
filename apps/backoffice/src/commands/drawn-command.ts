import { randomUUID } from 'node:crypto';
import { derivedCommand } from '@stablecoin/messaging/derived-command';

/** Of a request that is a command of its own: its id is drawn, so a hash of the terms would tell nothing, but what they are. */
export function drawnCommand(): { command_id: string; input_hash: string } {
  const name = randomUUID();
  return derivedCommand(name, { name });
}
