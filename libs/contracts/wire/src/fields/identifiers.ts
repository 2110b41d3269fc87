import { all, field, normalized } from './field';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HASH = /^[0-9a-f]{64}$/;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** A UUID in either case; the lower one is kept, as Postgres prints it. */
export function IsUuid(): PropertyDecorator {
  return all(
    normalized((value) => (isUuid(value) ? value.toLowerCase() : value)),
    field({
      name: 'isUuid',
      code: 'invalid_uuid',
      message: 'must be a UUID',
      schema: { type: 'string', format: 'uuid' },
      check: isUuid,
    }),
  );
}

/** A SHA-256 digest as 64 lower-case hex digits. */
export function IsSha256(): PropertyDecorator {
  return field({
    name: 'isSha256',
    code: 'invalid_hash',
    message: 'must be 64 lower-case hex digits',
    schema: { type: 'string', pattern: HASH.source },
    check: (value) => typeof value === 'string' && HASH.test(value),
  });
}
