import { randomInt, randomUUID } from 'node:crypto';
// JSON, so that the tools, which nobody compiles, make the same person (tools/traffic/journey.mjs).
import fixture from './person.json';

/** One pixel. */
export const PNG = fixture.picture;

export const uniqueEmail = () => `${randomUUID()}@example.com`;
export const uniquePhone = () => `+234${randomInt(10 ** 9, 10 ** 10)}`;

/** A body that creates an individual; email and phone are new each time. */
export function individual(changes: Record<string, unknown> = {}) {
  return { ...structuredClone(fixture.individual), email: uniqueEmail(), phone: uniquePhone(), ...changes };
}

/** The same with a picture of an identity document. */
export function individualWithDocument() {
  return individual({ documents: [{ doc_type: 'valid_ids', sub_type: 'front', doc_image: PNG, doc_country: 'NG' }] });
}
