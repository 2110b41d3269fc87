import {
  followed,
  type InterfaceDocument,
  type RawOperation,
  type RawResponse,
  type Schema,
} from './interface-document';

/** One operation of the interface, with everything that its part of a page says. */
export interface Operation {
  operationId: string;
  method: string;
  /** Such as `/wallets/{wallet_id}`. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  body: Body | undefined;
  success: Success;
  refusals: readonly Refused[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description: string;
  schema: Schema;
}

export interface Body {
  isForm: boolean;
  schema: Schema;
  /** Whole bodies, by what they show. */
  examples: readonly { name: string; value: unknown }[];
}

export interface Success {
  status: number;
  description: string;
  schema: Schema;
}

export interface Refused {
  status: number;
  code: string;
  message: string;
}

/** Every operation, in the order of the document. */
export function operationsOf(document: InterfaceDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(document, method.toUpperCase(), path, raw)),
  );
}

function operationOf(document: InterfaceDocument, method: string, path: string, raw: RawOperation): Operation {
  const { operationId, summary, description = '', tags } = raw;
  return {
    operationId,
    method,
    path,
    tag: tags[0] ?? '',
    summary,
    description,
    parameters: parametersOf(document, raw),
    body: bodyOf(raw),
    ...answersOf(document, raw),
  };
}

function parametersOf({ components }: InterfaceDocument, { parameters }: RawOperation): Parameter[] {
  return parameters.flatMap((given) => {
    const { name, in: place, required = false, description = '', schema } = followed(given, components.parameters);
    return place === 'header' ? [] : [{ name, in: place, required, description, schema }];
  });
}

function bodyOf({ requestBody }: RawOperation): Body | undefined {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return undefined;
  const [type, { schema, examples = {} }] = content;
  const named = Object.entries(examples).map(([name, { value }]) => ({ name, value }));
  return { isForm: type === 'multipart/form-data', schema, examples: named };
}

function answersOf({ components }: InterfaceDocument, { operationId, responses }: RawOperation) {
  const answers = Object.entries(responses).map(
    ([status, answer]) => [Number(status), followed(answer, components.responses)] as const,
  );
  const success = answers.find(([status]) => status < 300);
  if (success === undefined) throw new Error(`${operationId} documents no success`);
  const [status, { description, content }] = success;
  const schema = content?.['application/json']?.schema ?? {};
  const refusals = answers.filter(([of]) => of >= 400).flatMap(([of, answer]) => refusalsOf(of, answer));
  return { success: { status, description, schema }, refusals };
}

/** A response lists its codes in its description, one in each paragraph: `code`: message. */
export function refusalsOf(status: number, { description }: RawResponse): Refused[] {
  return [...description.matchAll(/^`(\w+)`: (.*)$/gm)].map(([, code = '', message = '']) => ({
    status,
    code,
    message,
  }));
}

/** Every code of an error, sorted by status, those that no operation lists included. */
export function everyRefusal({ components, 'x-refusals': others }: InterfaceDocument): Refused[] {
  return Object.values({ ...components.responses, ...others })
    .flatMap((response) => refusalsOf(response['x-status'] ?? 0, response))
    .sort((one, other) => one.status - other.status);
}
