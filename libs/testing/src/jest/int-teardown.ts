import { stopStack } from './run-stack';

/** After the integration tests: their Postgres, NATS server and folder are thrown away. */
export default function teardown(): Promise<void> {
  return stopStack('int');
}
