import { randomUUID } from 'node:crypto';

/** The run's NATS server. It is shared: what a test names on it (subjects, streams, consumers), it names uniquely. */
export function testNatsUrl(): string {
  const url = process.env['TEST_NATS_URL'];
  if (!url) throw new Error('TEST_NATS_URL is not set: run the integration tests with npm test -- --only int');
  return url;
}

/** A name that no other test uses, valid in subjects and as a stream's or consumer's name. */
export function uniqueName(stem: string): string {
  return `${stem}_${randomUUID().replaceAll('-', '')}`;
}
