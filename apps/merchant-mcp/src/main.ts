#!/usr/bin/env node
// Stdout belongs to the protocol: what a person should read goes to stderr.

import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { Stablecoin, StablecoinError } from 'stablecoin-sdk';
import { mcpServer } from './server';
import { SERVER_VERSION } from './server-version';

const HELP = `stablecoin-mcp [--allow-writes]

An MCP server for stablecoin accounts, over stdio: started by the program that the model runs in.

  --allow-writes  also offer tools that change something; each takes two calls, a preview and its confirmation
  --version       print the version
  --help          print this

Environment: STABLECOIN_API_KEY, best one with the scope read alone; STABLECOIN_BASE_URL, by default http://127.0.0.1:3000/api

Example:
  STABLECOIN_API_KEY=$(cat key-file) stablecoin-mcp
`;
const WRONG_USAGE = 2;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { 'allow-writes': { type: 'boolean' }, version: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (values.help) return void process.stdout.write(HELP);
  if (values.version) return void process.stdout.write(`${SERVER_VERSION}\n`);
  const server = mcpServer(new Stablecoin(), { allowWrites: values['allow-writes'] === true });
  await server.connect(new StdioServerTransport());
}

main().catch((error: unknown) => {
  const isExpected =
    error instanceof StablecoinError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  process.stderr.write(`${isExpected ? `${(error as Error).message} Try --help.` : String((error as Error).stack)}\n`);
  process.exitCode = WRONG_USAGE;
});
