import { ERROR_CODES, ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { ERROR_TABLE } from '@stablecoin/http-answers/error-table';
import { FIELD_CODE_TABLE } from './field-code-table';

const HEAD = `# Errors

<!-- Written by npm run docs, from the tables in apps/gateway/src/errors. -->

Every refusal has the same envelope:

\`\`\`json
{
  "status": "error",
  "code": "validation_failed",
  "message": "Some of the request is not valid; correct the fields named in errors.",
  "errors": [{ "field": "registered_address.country", "code": "required", "message": "is required" }],
  "request_id": "0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80"
}
\`\`\`

- \`code\` is one of those below: a closed set, each with one HTTP status. Programs decide by it; \`message\` is for people
  and may change. Which codes a route can end with stands in [openapi.json](openapi.json).
- \`errors\` is there with \`validation_failed\`, and only then: every refused field at once, by its path in the body, the
  name of the query parameter, or the name of the header; an empty \`field\` means the body as a whole. A body with more
  than 50 unknown fields is not read further: those 50 are listed.
- \`request_id\` equals the \`x-request-id\` header of the response; it finds the request in the service's logs.
- No value that was sent comes back, and nothing of what happens inside. Names of fields do, in at most 64 printable
  characters.
- A request whose \`Expect\` header says anything but \`100-continue\` is \`validation_failed\` with status 417: the one
  exception to one status per code.
- Checks stand in one order: key, rate, route and method, scope, size, media type, JSON, fields, ids and their owner, then
  the business rules: existence, status, currency, limits, funds.

Safe to send again as it is, best with the same \`Idempotency-Key\`: \`rate_limited\` and \`unavailable\` after the seconds in
\`Retry-After\`, \`idempotency_in_flight\` and \`internal_error\` after a moment. What was refused took no effect; after
\`internal_error\` and \`unavailable\` the outcome may be unknown: the same key gives the stored result if there is one.
An \`unavailable\` with the header \`x-outcome: none\` was refused before anything was done, because too much was under
way or a part of the service was not there: it is safe to send again without a key as well, unless an attempt before
it ended otherwise, or without an answer.
`;

/** docs/ERRORS.md: every code with its status, what it means and what to do, from the tables that the server answers by. */
export function errorsPage(): string {
  const byStatus = [...ERROR_CODES].sort((one, other) => ERROR_TABLE[one].status - ERROR_TABLE[other].status);
  return [
    HEAD,
    '## Codes\n',
    table(['status', 'code', 'what it means', 'what to do'], byStatus.map(rowOf)),
    '## Codes of fields\n',
    'In `errors[]` of `validation_failed`; also a closed set.\n',
    table(['code', 'what it means'], Object.entries(FIELD_CODE_TABLE).map(fieldRowOf)),
  ].join('\n');
}

function rowOf(code: ErrorCode): string[] {
  const { status, meaning, advice } = ERROR_TABLE[code];
  return [String(status), `\`${code}\``, `${meaning}.`, `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`];
}

const fieldRowOf = ([code, meaning]: [string, string]): string[] => [`\`${code}\``, meaning];

function table(head: readonly string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
