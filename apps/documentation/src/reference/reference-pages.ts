import type { InterfaceDocument, RawOperation } from '../interface/interface-document';
import { everyRefusal, type Operation, operationsOf, type Parameter, type Refused } from '../interface/operations';
import { htmlOf, inlineOf } from './html';
import { exampleOf } from './schema-example';
import { fieldsOf } from './schema-fields';

/** The reference as Markdown: one page for each tag of the document, one for the errors. */

export interface Page {
  /** Its place below /docs, without `.md`. */
  path: string;
  title: string;
  text: string;
}

/** `Payout methods` → `payout-methods`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-');

export function referencePagesOf(document: InterfaceDocument): Page[] {
  const operations = operationsOf(document);
  const common = commonCodesOf(operations);
  return [
    ...document.tags.map(({ name, description }) => ({
      path: `reference/${slugOf(name)}`,
      title: name,
      text: tagPage(document, name, description, operations, common),
    })),
    { path: 'reference/errors', title: 'Error codes', text: errorsPage(document, operations, common) },
  ];
}

/** The codes that every operation lists: they are told once. */
const commonCodesOf = (operations: readonly Operation[]): ReadonlySet<string> =>
  new Set(
    (operations[0]?.refusals ?? [])
      .map(({ code }) => code)
      .filter((code) => operations.every(({ refusals }) => refusals.some((refused) => refused.code === code))),
  );

function tagPage(
  document: InterfaceDocument,
  tag: string,
  description: string,
  operations: readonly Operation[],
  common: ReadonlySet<string>,
): string {
  const here = operations.filter((operation) => operation.tag === tag);
  const deliveries = Object.entries(document.webhooks).filter(([, { post }]) => post?.tags[0] === tag);
  return [
    `---\ntitle: ${tag}\noutline: 2\n---\n`,
    `# ${tag}\n`,
    `${description}\n`,
    '<ApiKey />\n',
    ...here.map((operation) => operationSection(document, operation, common)),
    ...(deliveries.length === 0 ? [] : [deliveriesSection(document, deliveries)]),
  ].join('\n');
}

const ANY_REQUEST = 'And the <a href="/docs/reference/errors">codes that any request can get</a>.';

const methodLabel = (method: string): string => `<span class="method ${method.toLowerCase()}">${method}</span>`;

function operationSection(document: InterfaceDocument, operation: Operation, common: ReadonlySet<string>): string {
  const { operationId, method, path, summary, description, parameters, body, success, refusals } = operation;
  const { schemas } = document.components;
  const own = refusals.filter(({ code }) => !common.has(code));
  return [
    `## ${titleOf(summary)} {#${operationId}}\n`,
    `<p class="route">${methodLabel(method)} <code>${htmlOf(path)}</code> <span class="facts">${operationId}</span></p>\n`,
    ...(summary === titleOf(summary) ? [] : [`${sentenceOf(summary)}\n`]),
    `${description}\n`,
    ...(parameters.length === 0 ? [] : [`**Parameters**\n`, `${parametersList(parameters)}\n`]),
    ...(body === undefined
      ? []
      : [`**Body**${body.isForm ? ' (multipart/form-data)' : ''}\n`, `${fieldsOf(body.schema, schemas)}\n`]),
    `<TryIt operation="${operationId}" />\n`,
    `**Answer** ${success.status}: ${sentenceOf(success.description)}\n`,
    `\`\`\`json\n${JSON.stringify(exampleOf(success.schema, schemas, success.description), undefined, 2)}\n\`\`\`\n`,
    `<details><summary>Fields of the answer</summary>${fieldsOf(success.schema, schemas)}</details>\n`,
    `<details><summary>Errors of this operation</summary>${refusalsTable(own)}<p>${ANY_REQUEST}</p></details>\n`,
  ].join('\n');
}

/** A summary up to its first explanation is a title; the whole is a sentence. */
const titleOf = (summary: string): string => summary.split(/[;:,](?= )/)[0] ?? summary;
const sentenceOf = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

const parametersList = (parameters: readonly Parameter[]): string =>
  fieldsOf(
    {
      properties: Object.fromEntries(
        parameters.map(({ name, in: place, description, schema }) => [
          name,
          { ...schema, description: `${place === 'path' ? 'In the path. ' : ''}${description}` },
        ]),
      ),
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
    },
    {},
  );

function refusalsTable(refusals: readonly Refused[]): string {
  const rows = refusals.map(
    ({ status, code, message }) =>
      `<tr><td>${status}</td><td><code>${htmlOf(code)}</code></td><td>${inlineOf(message)}</td></tr>`,
  );
  const head =
    '<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Message</th></tr></thead>';
  return `<div class="wide" tabindex="0"><table>${head}<tbody>${rows.join('')}</tbody></table></div>`;
}

function errorsPage(
  document: InterfaceDocument,
  operations: readonly Operation[],
  common: ReadonlySet<string>,
): string {
  const all = new Map<string, Refused>();
  for (const refused of [...everyRefusal(document), ...operations.flatMap(({ refusals }) => refusals)])
    if (!all.has(refused.code)) all.set(refused.code, refused);
  const listed = [...all.values()].sort((one, other) => one.status - other.status);
  const anyRequest = (code: string) => common.has(code) || code in document['x-refusals'];
  return [
    '---\ntitle: Error codes\noutline: 2\n---\n',
    '# Error codes\n',
    'Branch on `code`: it is a closed set. What to do about each is in its message. [Errors](/guides/errors) says how errors look.\n',
    '## Of any request\n',
    `${refusalsTable(listed.filter(({ code }) => anyRequest(code)))}\n`,
    '## Of some operations\n',
    'Each operation lists those that it gives.\n',
    `${refusalsTable(listed.filter(({ code }) => !anyRequest(code)))}\n`,
  ].join('\n');
}

function deliveriesSection(
  { components: { schemas } }: InterfaceDocument,
  deliveries: readonly (readonly [string, Readonly<Record<string, RawOperation>>])[],
): string {
  const sections = deliveries.map(([type, { post }]) => {
    const schema = post?.requestBody?.content['application/json']?.schema ?? {};
    return [
      `### ${type} {#${type.replace('.', '-')}}\n`,
      `${sentenceOf(post?.summary ?? '')}\n`,
      `\`\`\`json\n${JSON.stringify(exampleOf(schema, schemas, type), undefined, 2)}\n\`\`\`\n`,
      `<details><summary>Fields of ${type}</summary>${fieldsOf(schema, schemas)}</details>\n`,
    ].join('\n');
  });
  return [
    '## What arrives at your URL {#deliveries}\n',
    'The body of a delivery, by its type. [Webhooks](/guides/webhooks) says how it is signed and what to answer.\n',
    ...sections,
  ].join('\n');
}
