// After the journeys: the stack and its folder are thrown away.

export default async function teardown() {
  await globalThis.journeyStack?.stop();
}
