import { isCommand, parametersIn, placeholderOf, queryOf, takesJson } from '../console/console-operation';
import { parsed } from '../console/requests';
import { KEY_VARIABLE, type Sample } from './sample';
import { SDK_METHODS } from './sdk-methods.table';

/** What the sample does with the answer. */
const PRINT = 'console.log';

/** With our SDK; a module with `await` at its top level. */
export function typescriptOf({ operation, filled, apiUrl }: Sample): string {
  const [resource, method] = SDK_METHODS[operation.operationId] ?? ['', ''];
  const options = isCommand(operation) && filled.idempotencyKey ? [{ idempotencyKey: filled.idempotencyKey }] : [];
  const query = Object.fromEntries(
    queryOf(operation, filled.parameters).map(([name, value]) => [name, numeric(value)]),
  );
  const given = [
    ...parametersIn(operation, 'path').map(({ name }) => literal(filled.parameters[name] || placeholderOf(name))),
    ...(takesJson(operation) ? [literal(parsed(filled.body) ?? {})] : []),
    ...(operation.takesFile ? [`new Blob([${literal(filled.body)}], { type: 'application/pdf' })`] : []),
    ...(Object.keys(query).length > 0 ? [literal(query)] : []),
    ...options.map((option) => literal(option)),
  ];
  return `import { Stablecoin } from 'stablecoin-sdk';

const stablecoin = new Stablecoin({
  apiKey: process.env.${KEY_VARIABLE},
  baseUrl: ${literal(apiUrl)},
});

${PRINT}(await stablecoin.${resource}.${method}(${given.join(', ')}));`;
}

const numeric = (text: string): string | number => (/^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text);

/** As TypeScript is written: names without quotes, texts in single ones. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`;
  if (value === null || typeof value !== 'object') return String(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item) => literal(item, inner))
    : Object.entries(value).map(
        ([name, item]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}: ${literal(item, inner)}`,
      );
  if (items.length === 0) return `${open}${close}`;
  if (items.length === 1 && !items[0]?.includes('\n'))
    return Array.isArray(value) ? `[${items[0]}]` : `{ ${items[0]} }`;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
