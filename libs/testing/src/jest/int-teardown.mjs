// After the integration tests: their Postgres, NATS server and folder are thrown away.

export default async function teardown() {
  await globalThis.integrationStack?.stop();
}
