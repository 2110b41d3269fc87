import { stopStack } from './run-stack';

/** After the journeys: the stack and its folder are thrown away. */
export default function teardown(): Promise<void> {
  return stopStack('e2e');
}
