import { isCommand, takesJson, targetOf } from '../console/console-operation';
import { readable } from '../console/requests';
import { KEY_VARIABLE, type Sample } from './sample';

/** For bash: the key comes from the environment, a file from standard input. */
export function curlOf({ operation, filled, apiUrl }: Sample): string {
  const { method, takesFile } = operation;
  const isPlain = method === 'GET' || (method === 'POST' && (takesJson(operation) || takesFile));
  const lines = [
    `curl ${isPlain ? '' : `-X ${method} `}${quoted(`${apiUrl}${targetOf(operation, filled)}`)}`,
    `-H "x-api-key: $${KEY_VARIABLE}"`,
    ...(isCommand(operation) && filled.idempotencyKey
      ? [`-H ${quoted(`Idempotency-Key: ${filled.idempotencyKey}`)}`]
      : []),
    ...(takesFile ? [`-F 'file=@-;filename=document.pdf'`] : []),
    ...(takesJson(operation) ? [`-H 'content-type: application/json'`, `-d ${quoted(readable(filled.body))}`] : []),
  ];
  const curl = lines.join(' \\\n  ');
  return takesFile ? `printf ${quoted(printable(filled.body))} | ${curl}` : curl;
}

/** One word of bash, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** As printf's format. */
const printable = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('%', '%%').replaceAll('\n', '\\n');
