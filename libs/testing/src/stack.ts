import type { StackDescription } from '@stablecoin/local-stack/description';
import type { ServiceName } from '@stablecoin/local-stack/services';

/** A stack with all of its parts, as the tests' set-ups start it. */
export interface TestStack extends Required<StackDescription> {
  operations_urls: Record<ServiceName, string>;
  pids: Required<StackDescription['pids']>;
}

/** The stack that the journeys run against, as it described itself when it was ready. */
export function testStack(): TestStack {
  const text = process.env['TEST_STACK'];
  if (!text) throw new Error('TEST_STACK is not set: run the journeys with npm test -- --only e2e');
  return JSON.parse(text) as TestStack;
}
