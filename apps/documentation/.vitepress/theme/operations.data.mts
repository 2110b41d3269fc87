import { fileURLToPath } from 'node:url';
import { readInterfaceDocument } from '../../src/interface/interface-document';
import { operationsOf } from '../../src/interface/operations';
import { consoleOperationsOf } from '../../src/console/console-operations';
import type { ConsoleOperation } from '../../src/console/console-operation';

const FILE = fileURLToPath(new URL('../../../../docs/openapi.json', import.meta.url));

export interface ConsoleData {
  operations: ConsoleOperation[];
  /** Until the service has said its own. */
  apiUrl: string;
}

declare const data: ConsoleData;
export { data };

export default {
  load(): ConsoleData {
    const document = readInterfaceDocument(FILE);
    return { operations: consoleOperationsOf(operationsOf(document)), apiUrl: document.servers[0]?.url ?? '' };
  },
};
