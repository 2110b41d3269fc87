#!/usr/bin/env node
import { processTerminal } from './output/terminal';
import { runProgram } from './program';

// `stablecoin … | head` closes the pipe early: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

async function main(): Promise<void> {
  process.exitCode = await runProgram(process.argv.slice(2), processTerminal());
}

void main();
