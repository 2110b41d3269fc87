import { isCommand, parametersIn, placeholderOf, queryOf, takesJson } from '../console/console-operation';
import { parsed } from '../console/requests';
import { KEY_VARIABLE, type Sample } from './sample';
import { SDK_METHODS } from './sdk-methods.table';

/** With our SDK. */
export function pythonOf({ operation, filled, apiUrl }: Sample): string {
  const [resource, method] = SDK_METHODS[operation.operationId] ?? ['', ''];
  const body = takesJson(operation) ? Object.entries(parsed(filled.body) ?? {}) : [];
  const named = [
    ...(operation.takesFile ? [['file', new Bytes(filled.body)] as const] : []),
    ...body,
    ...queryOf(operation, filled.parameters).map(([name, value]) => [name, numeric(value)] as const),
    ...(isCommand(operation) && filled.idempotencyKey ? [['idempotency_key', filled.idempotencyKey] as const] : []),
  ];
  const given = [
    ...parametersIn(operation, 'path').map(({ name }) =>
      literal(filled.parameters[name] || placeholderOf(name), '    '),
    ),
    ...named.map(([name, value]) => `${argumentOf(name)}=${literal(value, '    ')}`),
  ];
  return `import os

from stablecoin_sdk import Stablecoin

stablecoin = Stablecoin(
    api_key=os.environ["${KEY_VARIABLE}"],
    base_url=${literal(apiUrl)},
)

print(stablecoin.${snakeOf(resource)}.${snakeOf(method)}(${argumentsOf(given)}))`;
}

class Bytes {
  constructor(readonly text: string) {}
}

const snakeOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
/** `from` is a word of the language. */
const argumentOf = (name: string): string => (name === 'from' ? 'from_' : name);
const numeric = (text: string): string | number => (/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

function argumentsOf(given: readonly string[]): string {
  const [only] = given;
  if (given.length === 1 && only !== undefined && !only.includes('\n')) return only;
  return given.length === 0 ? '' : `\n${given.map((argument) => `    ${argument},\n`).join('')}`;
}

function literal(value: unknown, indent = ''): string {
  if (value instanceof Bytes) return `b${literal(value.text)}`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${literal(item, inner)}`);
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
