/**
 * The rules of the interface that tests must cover, beside its routes, which are in docs/openapi.json. docs/COVERAGE.md
 * lists the tests of each.
 */
export const SECTIONS = [
  'Resource: envelope and pagination',
  'Resource: customer',
  'Resource: address, both shapes',
  'Resource: document',
  'Resource: business owner',
  'Resource: transaction',
  'Resource: wallet',
  'Resource: asset code',
  'Resource: swap quote',
  'Resource: payout method',
  'Values: closed sets and their readable texts',
  'Values: occupations',
  'Values: timestamps, decimals and ids',
  'States: transaction',
  'States: customer',
  'States: swap quote',
  'Rules: HTTP status of a success',
  'Rules: limits of fields',
  'Rules: limits of lists, and their order',
  'Rules: what text, amounts and dates may be',
  'Rules: null, absent and unknown fields',
  'Rules: API keys and scopes',
  'Rules: errors and the order of checks',
  'Rules: request ids',
  'Rules: idempotency',
  'Rules: dry runs',
  'Rules: tenants and owners',
  'Rules: fees',
  'Rules: returns to closed customers',
  'Rules: reversed deposits',
  'Rules: webhooks',
  'Resource: webhook',
  'Resource: event',
  'Rules: answers while a service is away',
  'Rules: audit',
  'Rules: the service equals its model',
] as const;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A section, or a route as the interface document writes it. */
export type Section = (typeof SECTIONS)[number] | `${Method} /${string}`;
