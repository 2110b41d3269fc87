import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { ROOT } from '@stablecoin/command-line/root';

const DOCUMENT = join(ROOT, 'apps', 'console', 'interface.yaml');

/** What the console and its back office say to each other, as TypeScript. */
export const consoleTypes = async (): Promise<string> =>
  `// Made of apps/console/interface.yaml by npm run docs.\n\n${astToString(await openapiTypescript(pathToFileURL(DOCUMENT)))}`;
