// resources.py: a class for each resource, a method for each operation. Fields and query parameters are keyword arguments, so
// that an editor offers them and a misspelt one is refused before anything is sent.

import { pascalCase } from './identifiers';
import { GENERATED, INDENT, docstring, listed, pythonName, pythonType, quoted, TypeWriter } from './python-text';
import { namesIn } from './python-types';
import { SdkAnswer, SdkError, SdkField, SdkMethod, SdkModel, SdkResource, TypeNode } from './sdk-model';

const BODY = INDENT + INDENT;
/** A method called `list` hides the type of that name in its class. */
const ANSWERED: TypeWriter = { list: 'builtins.list', text: 'str' };
/** Any sequence is taken, also one of a narrower type. */
const SENT: TypeWriter = { list: 'Sequence', text: 'str' };
const SENT_AMOUNT: TypeWriter = { list: 'Sequence', text: 'Amount' };

/** What a resource has beside its operations. */
const FURTHER_MEMBERS: Readonly<Record<string, string>> = { webhooks: 'unwrap = staticmethod(unwrap)' };

const IDEMPOTENCY_KEY =
  'idempotency_key: Makes the call safe to repeat; drawn by default, before the first attempt, and kept for all of them.';

/** What is sent again by itself, and what no request of a client ends with: its bodies are JSON, and say so. */
const UNSAID_CODES = ['idempotency_in_flight', 'malformed_json', 'unsupported_media_type'];

interface Argument {
  name: string;
  wireName: string;
  type: string;
  required: boolean;
  default: 'OMITTED' | 'None';
  description?: string;
}

export function pythonResources(model: SdkModel): string {
  const writer = new ResourceWriter(model);
  const classes = model.resources.map((resource) => writer.resourceClass(resource));
  const used = [...new Set(writer.used)].sort();
  return [
    GENERATED,
    '"""The methods of a client, by resource: ``client.payouts.create_to_bank(...)``."""\n',
    'from __future__ import annotations\n',
    'import builtins',
    'from collections.abc import Sequence',
    'from typing import Literal, overload\n',
    'from ._requester import Requester',
    'from ._resource import Resource',
    'from ._wire import OMITTED, Amount, Omitted, Upload',
    'from .pages import Pages',
    listed('from .types import (', used, ')'),
    'from .webhook_signatures import unwrap\n',
    `${listed('AMOUNT_FIELDS = frozenset({', amountFields(model).map(quoted), '})')}\n`,
    ...classes,
    resourcesClass(model),
  ].join('\n');
}

/** The names under which amounts are sent, at any depth. */
function amountFields({ types }: SdkModel): string[] {
  const fields = types.flatMap(({ type }) => (type.kind === 'object' ? type.fields : []));
  return [...new Set(fields.filter(({ takesAmount }) => takesAmount).map(({ name }) => name))].sort();
}

function resourcesClass({ resources }: SdkModel): string {
  const lines = resources.map(({ name }) => `${BODY}self.${pythonName(name)} = ${pascalCase(name)}(requester)\n`);
  return [
    '\nclass Resources(Resource):',
    `${INDENT}def _use(self, requester: Requester) -> None:`,
    `${BODY}self._requester = requester`,
    lines.join(''),
  ].join('\n');
}

class ResourceWriter {
  readonly used: string[] = [];
  private readonly types: ReadonlyMap<string, TypeNode>;
  private readonly errors: ReadonlyMap<string, SdkError>;
  /** What any operation may end with says nothing about one. */
  private readonly unsaidCodes: ReadonlySet<string>;
  /** By operationId, as descriptions name other operations. */
  private readonly pythonNames: ReadonlyMap<string, string>;

  constructor({ types, errors, resources }: SdkModel) {
    this.types = new Map(types.map(({ name, type }) => [name, type]));
    this.errors = new Map(errors.map((error) => [error.code, error]));
    const methods = resources.flatMap((resource) => resource.methods);
    const [first] = methods;
    const everywhere = first?.errorCodes.filter((code) => methods.every(({ errorCodes }) => errorCodes.includes(code)));
    this.unsaidCodes = new Set([...(everywhere ?? []), ...UNSAID_CODES]);
    this.pythonNames = new Map(
      resources.flatMap((resource) =>
        resource.methods.map(({ operationId, name }) => [
          operationId,
          `${pythonName(resource.name)}.${pythonName(name)}`,
        ]),
      ),
    );
  }

  resourceClass({ name, methods }: SdkResource): string {
    const further = FURTHER_MEMBERS[name];
    const members = [...methods.map((method) => this.method(method)), ...(further ? [`${INDENT}${further}\n`] : [])];
    return `\nclass ${pascalCase(name)}(Resource):\n${members.join('\n')}`;
  }

  private method(method: SdkMethod): string {
    const { pathParameters, body } = method;
    if (method.httpMethod !== 'GET' && !method.takesIdempotencyKey) {
      throw new Error(`${method.operationId} takes no Idempotency-Key: the SDK could not send it again`);
    }
    const fields = [...this.fields(method)].sort((one, other) => Number(other.required) - Number(one.required));
    const positional = pathParameters.map(({ name }) => `${pythonName(name)}: str`);
    const upload = body?.mediaType === 'multipart/form-data' ? ['file: Upload'] : [];
    const named = [
      ...fields.map(signatureOf),
      ...(upload.length > 0 ? ['filename: str | None = None'] : []),
      ...(method.takesIdempotencyKey ? ['idempotency_key: str | None = None'] : []),
    ];
    const signature = ['self', ...positional, ...upload, ...(named.length > 0 ? ['*', ...named] : [])];
    const head = (argumentList: string[], answer: string, after = '') =>
      `${listed(`def ${pythonName(method.name)}(`, argumentList, `) -> ${answer}:${after}`, INDENT)}\n`;
    return [
      ...this.overloads(method, signature).map(
        ([given, answer]) => `${INDENT}@overload\n${head(given, answer, ' ...')}`,
      ),
      head(signature, this.answerType(method)),
      docstring(this.documentation(method, fields), BODY),
      `${BODY}${this.call(method, fields)}\n`,
    ].join('');
  }

  /** Where a dry run has another answer: one signature for each, and one for callers who decide as they run. */
  private overloads({ answer }: SdkMethod, signature: string[]): [signature: string[], answer: string][] {
    if (answer.kind !== 'value' || answer.dryRunType === undefined) return [];
    this.used.push(...namesIn(answer.dryRunType));
    const [real, dryRun] = [answer.type, answer.dryRunType].map((type) => pythonType(type, ANSWERED));
    const withDryRun = (dryRunArgument: string) =>
      signature.map((argument) => (argument.startsWith('dry_run:') ? dryRunArgument : argument));
    return [
      [withDryRun('dry_run: Literal[True]'), `${dryRun}`],
      [withDryRun('dry_run: Literal[False] | None | Omitted = OMITTED'), `${real}`],
      [signature, `${real} | ${dryRun}`],
    ];
  }

  /** In the order of the document. */
  private fields(method: SdkMethod): Argument[] {
    const { query, body } = method;
    if (query !== undefined) return this.argumentsOf(query.typeName, 'None');
    return body?.mediaType === 'application/json' ? this.argumentsOf(body.typeName, 'OMITTED') : [];
  }

  private argumentsOf(typeName: string, leftOut: Argument['default']): Argument[] {
    const type = this.types.get(typeName);
    if (type?.kind !== 'object') throw new Error(`${typeName} is no object: its fields can be no arguments`);
    return type.fields.map((field) => this.argument(field, leftOut));
  }

  private argument(
    { name, type, required, takesAmount, description }: SdkField,
    leftOut: Argument['default'],
  ): Argument {
    this.used.push(...namesIn(type));
    const written = pythonType(type, takesAmount ? SENT_AMOUNT : SENT);
    return { name: pythonName(name), wireName: name, type: written, required, default: leftOut, description };
  }

  private answerType({ answer }: SdkMethod): string {
    if (answer.kind === 'nothing') return 'None';
    const type = answer.kind === 'page' ? answer.item : answer.type;
    this.used.push(...namesIn(type));
    const written = pythonType(type, ANSWERED);
    if (answer.kind === 'value' && answer.dryRunType) return `${written} | ${pythonType(answer.dryRunType, ANSWERED)}`;
    return answer.kind === 'page' ? `Pages[${written}]` : written;
  }

  private documentation(method: SdkMethod, fields: readonly Argument[]): (string | undefined)[] {
    const { summary, description, pathParameters, body, takesIdempotencyKey } = method;
    const lines = [
      ...pathParameters.map((parameter) => line(pythonName(parameter.name), parameter.description)),
      ...(body?.mediaType === 'multipart/form-data' ? [line('file', body.description), FILENAME] : []),
      ...fields.map((field) => line(field.name, field.description)),
      ...(takesIdempotencyKey ? [`${INDENT}${IDEMPOTENCY_KEY}`] : []),
    ].filter((text): text is string => text !== undefined);
    const raised = method.errorCodes.filter((code) => !this.unsaidCodes.has(code)).flatMap((code) => this.raises(code));
    return [
      sentence(summary),
      description?.replaceAll(/`(\w+)`/g, (_, name: string) => `\`${this.pythonNames.get(name) ?? name}\``),
      lines.length > 0 ? ['Args:', ...lines].join('\n') : undefined,
      raised.length > 0 ? ['Raises:', ...new Set(raised)].join('\n') : undefined,
    ];
  }

  private raises(code: string): string[] {
    const error = this.errors.get(code);
    return error === undefined ? [] : [`${INDENT}${error.className}: ${error.message}`];
  }

  private call(method: SdkMethod, fields: readonly Argument[]): string {
    const { answer, path, pathParameters, httpMethod, body } = method;
    const parameters = pathParameters.map(({ name, wireName }) => `${quoted(wireName)}: ${pythonName(name)}`);
    const inPath = parameters.length > 0 ? [`parameters={${parameters.join(', ')}}`] : [];
    const given = fields.map(({ name, wireName }) => `${quoted(wireName)}: ${name}`);
    const dict = (argument: string) => listed(`${argument}={`, given, '}', `${BODY}${INDENT}`).trimStart();
    const isForm = body?.mediaType === 'multipart/form-data';
    const sent = [
      ...inPath,
      ...(body && !isForm ? [dict('fields'), 'amount_fields=AMOUNT_FIELDS'] : []),
      ...(body && !isForm && !body.required ? ['may_be_empty=True'] : []),
    ];
    const asked = [quoted(path), ...inPath, ...(method.query === undefined ? [] : [dict('query')])];
    const [before, after] = answer.kind === 'nothing' ? ['', ''] : ['return ', openingOf(answer)];
    const written = (name: string, items: readonly string[]) =>
      listed(`${before}self.${name}(`, items, `)${after}`, BODY).trimStart();
    if (answer.kind === 'page') return written('_list', asked);
    if (isForm) return written('_upload', [quoted(path), 'idempotency_key', 'file', 'filename']);
    if (httpMethod === 'GET') return written('_get', asked);
    return written('_write', [quoted(httpMethod), quoted(path), 'idempotency_key', ...sent]);
  }
}

/** From the whole answer to what is handed back. */
const openingOf = (answer: SdkAnswer): string =>
  answer.kind === 'value' ? answer.path.map((name) => `[${quoted(name)}]`).join('') : '';

const FILENAME = `${INDENT}filename: Its name; by default that of the file.`;

const line = (name: string, description: string | undefined): string | undefined =>
  description === undefined ? undefined : `${INDENT}${name}: ${description.replaceAll('\n', ' ')}`;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

function signatureOf(argument: Argument): string {
  if (argument.required) return `${argument.name}: ${argument.type}`;
  if (argument.default === 'None') return `${argument.name}: ${argument.type} | None = None`;
  return `${argument.name}: ${argument.type} | Omitted = OMITTED`;
}
