/** What initdb has not made has an OID from here on (Postgres' FirstNormalObjectId). */
export const MADE_LATER = 16_384;
